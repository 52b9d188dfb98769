import { describe, expect, it } from 'vitest';
import { serviceUrlOf } from '../../src/base/service-url.ts';

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
