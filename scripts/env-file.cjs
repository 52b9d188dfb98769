const { readFileSync } = require('node:fs');
const { parseEnv } = require('node:util');

/**
 * Reads settings from the file .env of the current folder, if there is one. What is set already stays. The option
 * --env-file-if-exists of Node does the same, but a Node that lacks it would name that option instead of its version. It
 * would also take a byte order mark as a part of the first name, and a file in UTF-16 for one without settings.
 */
try {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync('.env'));
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
} catch (error) {
  if (error.code !== 'ENOENT') {
    const reason = error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8' : error.message;
    process.stderr.write(`kb-gateway: the file .env cannot be read: ${reason}\n`);
    process.exit(1);
  }
}
