import { describe, expect, it } from 'vitest';
import { misspeltSettings, readConfig } from '../../../src/server/config.ts';

const found = (...names: string[]) => misspeltSettings(Object.fromEntries(names.map((name) => [name, 'x'])));

describe('a variable that looks like a setting', () => {
  it.each([
    ['PROT', 'PORT'],
    ['port', 'PORT'],
    ['UPSTREAM_TIMEOUT', 'UPSTREAM_TIMEOUT_MS'],
    ['UPSTREM_URL', 'UPSTREAM_URL'],
    ['UPSTREAM_TOKEN', 'UPSTREAM_API_TOKEN'],
    ['API_TOKENS', 'API_TOKEN'],
    ['API_TOKEN_FILES', 'API_TOKEN_FILE'],
    ['API_TOKN_FILE', 'API_TOKEN_FILE'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['CORS-ORIGIN', 'CORS_ORIGINS'],
    ['CLIENT_JWT_ISS', 'CLIENT_JWT_ISSUER'],
    ['LOGLEVEL', 'LOG_LEVEL'],
  ])('is found by its name: %s', (name, meant) => {
    expect(found(name)).toEqual([{ name, meant }]);
  });

  it('is none of those that a machine, npm, Docker and Kubernetes set', () => {
    const usual = ['HOME', 'HOSTNAME', 'LANG', 'LOGNAME', 'PATH', 'PS1', 'PWD', 'SHELL', 'SHLVL', 'TERM', 'USER', '_'];
    const others = ['NODE', 'NODE_ENV', 'NODE_OPTIONS', 'INIT_CWD', 'npm_config_loglevel', 'npm_package_name', 'DEBUG'];
    const pod = ['KUBERNETES_PORT', 'KUBERNETES_SERVICE_HOST', 'KB_GATEWAY_PORT_80_TCP_ADDR', 'HTTP_PROXY', 'no_proxy'];
    expect(found(...usual, ...others, ...pod, 'POSTGRES_PASSWORD', 'PGHOST', 'TEST_POSTGRES_URL')).toEqual([]);
  });

  it('is no setting, also of the backend that is not in use', () => {
    expect(
      found('PORT', 'API_TOKEN_FILE', 'UPSTREAM_TIMEOUT_MS', 'DATABASE_URL', 'CLIENT_JWKS_URL', 'AUDIT_LOG'),
    ).toEqual([]);
  });

  it('has a value', () => {
    expect(misspeltSettings({ PROT: '' })).toEqual([]);
  });

  it('is named where a setting is wrong, since it may be the reason', () => {
    const config = readConfig({ DATABASE_URL: 'postgres://a:b@c/d', API_TOKNE: 'secret' });
    if (config.ok) throw new Error('the settings are taken');
    expect(config.error).toContain('API_TOKNE is no setting and has no effect: is API_TOKEN meant?');
    expect(config.error).not.toContain('secret');
  });
});
