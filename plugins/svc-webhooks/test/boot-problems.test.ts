/** Options that stop the boot, and settings that production is warned of. */
import t from 'tap'
import { adminApp } from './support/admin-app.ts'

const refused: [options: object, code: string, text: RegExp][] = [
  [{ encryptionKey: Buffer.alloc(16).toString('base64') }, 'SVC_WEBHOOK_KEY_INVALID', /decodes to 16 bytes/],
  [{ encryptionKey: 'not base64 at all!' }, 'SVC_WEBHOOK_KEY_INVALID', /is not base64/],
  [{ allowCidrs: ['10.0.0.0/8', '10.0.0.0/33'] }, 'SVC_WEBHOOKS_BAD_CIDR', /allowCidrs\[1\]/],
  [{ allowCidrs: ['everything'] }, 'SVC_WEBHOOKS_BAD_CIDR', /allowCidrs\[0\]/],
  [{ store: 'mongo' }, 'SVC_KERNEL_OPTIONS', /svc-webhooks\.store/],
  [{ maxRetires: 3 }, 'SVC_KERNEL_OPTIONS', /did you mean maxRetries/],
  [{ signAlg: 'sha1' }, 'SVC_KERNEL_OPTIONS', /signAlg/],
  [{ maxRetries: -1 }, 'SVC_KERNEL_OPTIONS', /maxRetries/],
  [{ deliveryTimeoutMs: 0 }, 'SVC_KERNEL_OPTIONS', /deliveryTimeoutMs/],
  [{ timestampToleranceS: 0 }, 'SVC_KERNEL_OPTIONS', /timestampToleranceS/]
]

for (const [options, code, text] of refused) {
  t.test(JSON.stringify(options), async (t) => {
    await t.rejects(adminApp(t, { options: options as never }), { code, message: text })
  })
}

t.test('a key is never part of a message', async (t) => {
  const key = Buffer.alloc(16, 9).toString('base64')
  await adminApp(t, { options: { encryptionKey: key } }).catch((error: Error) => t.notOk(error.message.includes(key)))
  t.plan(1)
})

t.test('an unknown store stops production', async (t) => {
  await t.rejects(adminApp(t, { mode: 'production', options: { store: 'docdb' } }), { code: 'SVC_STORE_UNKNOWN' })
})

t.test('production is warned of an open network and of plain HTTP, development is not', async (t) => {
  const options = { denyPrivateIps: false, allowHttp: true }
  const production = await adminApp(t, { mode: 'production', options })
  const codes = production.lines.map(({ code }) => code)
  t.ok(codes.includes('SVC_WEBHOOKS_OPEN_NETWORK') && codes.includes('SVC_WEBHOOKS_PLAIN_HTTP'))
  const development = await adminApp(t, { mode: 'development', options })
  t.notOk(development.lines.some(({ code }) => /OPEN_NETWORK|PLAIN_HTTP/.test(String(code))))
})
