import { type Behaviour, endless, gzipBomb } from '../support/faulty-service.ts';

const MB = 1024 * 1024;

/** A response of the largest size that is read, with as many values as fit. */
function filled(value: string): Behaviour {
  const body = Buffer.from(`{"success":true,"data":[${value}${`,${value}`.repeat((9.9 * MB) / (value.length + 1))}]}`);
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  };
}

/** Responses that could fill the memory of the gateway. */
export const LARGE_ANSWERS: Readonly<Record<string, Behaviour>> = {
  'bodies without end': endless(),
  'gzip bombs of 100 MB': gzipBomb(100 * MB),
  '9.9 MB of text': filled(`"${'x'.repeat(MB)}"`),
  '9.9 MB of empty lists': filled('[]'),
  '9.9 MB of objects': filled('{"a":{}}'),
};
