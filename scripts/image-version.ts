import { readFileSync, writeFileSync } from 'node:fs';

// Gives the label of the image the version of package.json, after a release has raised that.
const { version }: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'));
const dockerfile = readFileSync('Dockerfile', 'utf8');
writeFileSync('Dockerfile', dockerfile.replace(/(?<=image\.version=")[^"]*/u, version));
