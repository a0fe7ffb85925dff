/**
 * What the presets promise: a boot without one warning, and keys of their own where they seal secrets.
 * In the long run: it starts every preset.
 */
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../support/shop.ts'
import { svc } from '../support/svc-command.ts'
import { PresetApp } from './preset-app.ts'

const environments = [{ NODE_ENV: 'development' }, { NODE_ENV: 'production' }]

for (const preset of ['minimal', 'api', 'full']) {
  t.test(`S4: preset ${preset} boots without a warning, in development and in production`, async (t) => {
    const app = await PresetApp.create(t, preset)
    for (const environment of environments) {
      t.strictSame(await app.warningsOf(environment), [], environment.NODE_ENV)
    }
  })
}

t.test('preset full sends webhooks to this machine in development alone', async (t) => {
  const app = await PresetApp.create(t, 'full')
  for (const { NODE_ENV } of [...environments, { NODE_ENV: 'test' }]) {
    const { code, stdout, stderr } = await svc(['info', '--json'], { cwd: app.folder, env: { NODE_ENV } })
    t.equal(code, 0, stderr)
    const { modules } = JSON.parse(stdout) as { modules: { name: string; options: object }[] }
    const found = modules.find(({ name }) => name === 'svc-webhooks')?.options
    const local = NODE_ENV === 'development' ? { allowHttp: true, allowCidrs: ['127.0.0.0/8'] } : {}
    t.strictSame(found, { encryptionKey: '[set]', ...local }, NODE_ENV)
  }
})

t.test('S4: preset full is made with keys for its machine alone, which git ignores', async (t) => {
  const found = new Set<string>()
  for (const parent of [await temporaryFolder(t), await temporaryFolder(t)]) {
    const created = await svc(['create', 'app', 'shop', '--preset', 'full'], { cwd: parent })
    t.equal(created.code, 0, created.stderr)
    const folder = join(parent, 'shop')
    const file = join(folder, '.env')
    t.equal((await stat(file)).mode & 0o777, 0o600)
    t.match((await readFile(join(folder, '.gitignore'), 'utf8')).split('\n'), ['node_modules/', 'dist/', '.env'])
    for (const [, name = '', key = ''] of (await readFile(file, 'utf8')).matchAll(/^([A-Z_]+)=(.*)$/gm)) {
      t.match(name, /^(SEALING_KEY|SVC_WEBHOOK_KEY)$/)
      t.equal(Buffer.from(key, 'base64').length, 32, name)
      found.add(key)
    }
  }
  t.equal(found.size, 4, 'no two are alike')
})

t.test('S4: a checkout of preset full without its .env is warned, so silence above means something', async (t) => {
  const app = await PresetApp.create(t, 'full')
  await rm(join(app.folder, '.env'))
  const warnings = (await app.warningsOf({ NODE_ENV: 'development' })).join('\n')
  t.match(warnings, /SVC_SEC_TOTP_KEY[\s\S]*SVC_WEBHOOK_KEY_EPHEMERAL/)
})
