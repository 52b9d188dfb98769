import { runSections } from '../report/sections.ts';
import { buildGateway } from '../sections/build.ts';
import { overPostgres, overService, overSqlite } from './backends.ts';
import { measureLarge } from './large-updates.ts';

/*
 * `npm run bench:large -- [--quick] [SECTION…]`: a bulk update of 10,000 articles with 100 MB of texts over each backend,
 * in requests of less than `MAX_BODY_BYTES` one after another, and as one job. Ends with 1 when a figure is out of its
 * bound.
 */
buildGateway();
await runSections({
  command: 'bench:large',
  quick: 'a tenth of the items, with the same texts',
  sections: {
    service: (size) => measureLarge(overService, size),
    sqlite: (size) => measureLarge(overSqlite, size),
    postgres: (size) => measureLarge(overPostgres, size),
  },
});
process.exit();
