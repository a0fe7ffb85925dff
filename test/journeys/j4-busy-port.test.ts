/** J4: the port is taken. One message with both ways out, exit code 1, and no other port in silence. */
import t from 'tap'
import { freePort } from '../support/ports.ts'
import { Shop } from '../support/shop.ts'
import { svc } from '../support/svc-command.ts'

t.test('started twice on one port', async (t) => {
  const shop = await Shop.create(t)
  const first = await shop.dev()
  t.equal((await shop.svc('build')).code, 0)
  for (const command of ['dev', 'start']) {
    const second = await shop.svc(command)
    t.equal(second.code, 1, command)
    const busy = new RegExp(
      `SVC_PORT_BUSY +port ${shop.port} on 127\\.0\\.0\\.1 is in use by pid (\\d+) \\(node, started .* from .*shop\\)`
    )
    t.match(second.stderr, busy)
    t.equal(Number(busy.exec(second.stderr)?.[1]), first.pid)
    t.match(second.stderr, new RegExp(`fix: stop it \\(kill ${first.pid}\\) or PORT=\\d+`))
    t.notMatch(second.stdout, /ready|listening/i, 'nothing claims to have started')
  }
  t.equal((await shop.get('/api/hello')).status, 200, 'the first one is undisturbed')

  const port = await freePort()
  const other = shop.start(['dev'], { PORT: String(port) })
  await other.shows(/is ready at/)
  t.equal((await fetch(`http://127.0.0.1:${port}/api/hello`)).status, 200)
})

t.test('a PORT that is no port', async (t) => {
  const shop = await Shop.create(t)
  for (const PORT of ['fifty', '70000', '-1']) {
    const refused = await svc(['dev'], { cwd: shop.folder, env: { PORT } })
    t.equal(refused.code, 1, PORT)
    t.match(refused.stderr, /SVC_KERNEL_ENV/)
    t.match(refused.stderr, /at: PORT/)
  }
})
