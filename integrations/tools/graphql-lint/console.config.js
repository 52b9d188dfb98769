import { documents } from './repository.config.js';

// The console has a configuration of its own: the names of its documents are its own.
export default [documents(['console/src/**/*.graphql'])];
