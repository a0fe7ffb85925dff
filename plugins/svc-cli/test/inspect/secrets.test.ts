/** `svc secrets` on a real database: which key encrypts what, before, while and after a new key takes over. */
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { createdApp, write } from '../support/sandbox.ts'
import { runSvc, SvcProcess } from '../support/svc-process.ts'

const [former, next] = [0, 1].map(() => randomBytes(32).toString('base64')) as [string, string]

/** An application with one endpoint, whose secret is encrypted with the first of these keys when it is made. */
function config(keys: readonly string[]): string {
  return `import { defineConfig } from 'svc-host'
import svcAudit from 'svc-audit'
import svcSqlorm from 'svc-sqlorm'
import svcWebhooks from 'svc-webhooks'

async function endpoint(fastify) {
  fastify.addHook('onReady', async () => {
    const { total } = await fastify.webhooks.list({}, { limit: 1, offset: 0 })
    if (total === 0) await fastify.webhooks.create({ url: 'https://receiver.example/', events: ['*'] })
  })
}

export default defineConfig({
  mode: 'development',
  server: { port: 0 },
  modules: [
    [svcSqlorm, { connectors: { default: { url: 'sqlite:data/app.db' } } }],
    svcAudit,
    [svcWebhooks, { encryptionKey: ${JSON.stringify(keys)}, denyPrivateIps: false }],
    Object.assign(endpoint, { [Symbol.for('fastify.display-name')]: 'endpoint' })
  ]
})
`
}

t.test('secrets are counted by key; the exit code says whether a former key is needed', async (t) => {
  const cwd = await createdApp(t)
  const count = async (...keys: string[]) => {
    await write(cwd, 'svc.config.ts', config(keys))
    return runSvc(['secrets'], { cwd })
  }
  t.match((await runSvc(['secrets'], { cwd })).stdout, /no module of this application encrypts/)
  t.match(await count(former), {
    code: 0,
    stdout: /^SECRETS +FIRST KEY +FORMER KEYS +NO KEY\nsecrets of webhooks +1 +0 +0\n$/
  })
  const both = await count(next, former)
  t.match(both, {
    code: 1,
    stdout: /secrets of webhooks +0 +1 +0/,
    stderr: /SVC_SECRETS_FORMER[\s\S]*fix:.*keep the former/
  })
  t.match(await count(next), { code: 1, stdout: /secrets of webhooks +0 +0 +1/, stderr: /fix:.*add the missing key/ })
  for (const { stdout, stderr } of [both]) {
    for (const key of [former, next]) t.notOk(`${stdout}${stderr}`.includes(key), 'no key is shown')
  }

  await count(next, former)
  const running = new SvcProcess(t, ['dev'], { cwd })
  await running.address()
  let json = await runSvc(['secrets', '--json'], { cwd })
  for (let turn = 0; json.code === 1 && turn < 20; turn += 1) json = await runSvc(['secrets', '--json'], { cwd })
  t.strictSame(JSON.parse(json.stdout), [{ name: 'secrets of webhooks', first: 1, former: 0, unreadable: 0 }])
  t.match(await count(next), { code: 0 })
})
