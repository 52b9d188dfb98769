import { readFileSync, writeFileSync } from 'node:fs';
import { minifyIntrospection, outputIntrospectionFile } from 'gql.tada/internal';
import { buildSchema, introspectionFromSchema } from 'graphql';

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
const introspection = minifyIntrospection(introspectionFromSchema(schema));
const types = outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true });
writeFileSync('graphql-env.d.ts', types);
