/**
 * The thread that makes a development certificate: the library changes the
 * global `Reflect`, and with it how decorators are applied to all that loads later.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { generate } from 'selfsigned'

const DAY_MS = 86_400_000
/** What browsers and Apple's systems still take. */
const VALID_DAYS = 365

const from = workerData as Date

const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
  keyType: 'ec',
  algorithm: 'sha256',
  notBeforeDate: new Date(from.getTime() - DAY_MS),
  notAfterDate: new Date(from.getTime() + VALID_DAYS * DAY_MS),
  extensions: [
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, critical: true },
    { name: 'extKeyUsage', serverAuth: true },
    {
      name: 'subjectAltName',
      altNames: [
        { type: 2, value: 'localhost' },
        { type: 7, ip: '127.0.0.1' },
        { type: 7, ip: '::1' }
      ]
    }
  ]
})

parentPort?.postMessage({ key, cert })
