/** The settings of the specification: what holds where nothing is set, and what is no value of them. */
import { readOptions } from 'svc-kernel'
import t from 'tap'
import { optionsSchema, type WebhooksConfig } from '../src/options.ts'

const read = (given: object) => readOptions<WebhooksConfig>('svc-webhooks', optionsSchema, given)

t.test('the settings of the specification, by default', async (t) => {
  t.match(read({}), {
    enabled: true,
    store: 'auto',
    encryptionKey: undefined,
    signAlg: 'sha256',
    timestampToleranceS: 300,
    maxRetries: 5,
    autoDisableThreshold: 20,
    deliveryTimeoutMs: 10_000,
    maxConcurrent: 8,
    maxQueue: 1000,
    denyPrivateIps: true,
    allowHttp: false,
    snapshotTtlS: 30
  })
})

t.test('what the bounds of the settings refuse', async (t) => {
  const refused: object[] = [
    { enabled: 'yes' },
    { store: 'redis' },
    { encryptionKey: '' },
    { signAlg: 'sha512' },
    { timestampToleranceS: 0 },
    { maxRetries: -1 },
    { autoDisableThreshold: -1 },
    { deliveryTimeoutMs: 0 },
    { maxConcurrent: 0 },
    { maxQueue: 0 },
    { denyPrivateIps: 0 },
    { allowHttp: 'no' },
    { snapshotTtlS: 1.5 }
  ]
  for (const given of refused) {
    t.throws(() => read(given), { code: 'SVC_KERNEL_OPTIONS', message: Object.keys(given)[0] }, JSON.stringify(given))
  }
  for (const given of [{ maxRetries: 0 }, { autoDisableThreshold: 0 }]) t.match(read(given), given)
})
