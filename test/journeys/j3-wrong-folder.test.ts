/** J3: started from the wrong folder, or with a build older than its sources. */
import { utimes } from 'node:fs/promises'
import t from 'tap'
import { Shop, temporaryFolder } from '../support/shop.ts'
import { svc } from '../support/svc-command.ts'

t.test('a sub-folder of the application: told where the config is', async (t) => {
  const shop = await Shop.create(t)
  for (const command of ['dev', 'start', 'routes']) {
    const refused = await svc([command], { cwd: shop.path('controllers') })
    t.equal(refused.code, 1, command)
    t.match(refused.stderr, /SVC_NO_CONFIG +no svc config file in .*controllers; found one 1 level up/)
    t.match(refused.stderr, /fix: cd \.\./)
    t.equal(refused.stdout, '', 'nothing claims to have started')
  }
})

t.test('an unrelated folder', async (t) => {
  const refused = await svc(['dev'], { cwd: await temporaryFolder(t) })
  t.equal(refused.code, 1)
  t.match(refused.stderr, 'SVC_NO_CONFIG')
  t.match(refused.stderr, /not an application folder/)
  t.match(refused.stderr, /fix: npx svc create app NAME/)
})

t.test('svc start without a build, and with a stale one', async (t) => {
  const shop = await Shop.create(t)
  const none = await shop.svc('start')
  t.equal(none.code, 1)
  t.match(none.stderr, 'SVC_NO_BUILD')

  const built = await shop.svc('build')
  t.equal(built.code, 0, built.stdout + built.stderr)
  const later = new Date(Date.now() + 60_000)
  await utimes(shop.path('controllers/hello.ts'), later, later)
  const started = shop.start(['start'], { NODE_ENV: 'production' })
  await started.shows(/SVC_STALE_BUILD/)
  await started.shows(/listening/i)
  t.match(started.output, 'controllers/hello.ts')
  t.equal((await shop.get('/api/hello')).status, 200, 'it serves the build all the same')
})
