import { describe, expect, it } from 'vitest';
import { networkOf, serviceUrlOf } from '../../../src/core/base/network.ts';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['2001:db8::3:4:5:6', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('the network of %j is %j', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

describe('serviceUrlOf', () => {
  it.each([
    ['https://service.example', 'https://service.example'],
    ['HTTPS://Service.EXAMPLE:443///', 'https://service.example'],
    ['http://service.example:80/Api/', 'http://service.example/Api'],
    ['http://service.example:8080', 'http://service.example:8080'],
    ['http://[::1]:80/', 'http://[::1]'],
    ['https://name:secret@service.example/api?token=secret#secret', 'https://service.example/api'],
  ])('names %s as %s', (url, name) => {
    expect(serviceUrlOf(url)).toBe(name);
    expect(serviceUrlOf(name)).toBe(name);
  });
});
