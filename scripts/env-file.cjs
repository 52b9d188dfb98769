/**
 * Reads settings from the file .env of the current folder, if there is one. What is set already stays. The option
 * --env-file-if-exists of Node does the same, but a Node that lacks it would name that option instead of its version.
 */
try {
  process.loadEnvFile('.env');
} catch (error) {
  if (error.code !== 'ENOENT') {
    process.stderr.write(`kb-gateway: the file .env cannot be read: ${error.message}\n`);
    process.exit(1);
  }
}
