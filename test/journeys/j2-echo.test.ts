/** J2: the echo over WebSocket, from the same controller; and what a browser sees there. */
import t from 'tap'
import { WebSocket } from 'ws'
import { Shop } from '../support/shop.ts'

t.test('echo over WebSocket, the route listing, 426 without an upgrade', async (t) => {
  const shop = await Shop.create(t)
  await shop.dev()

  const frames: string[] = []
  const socket = new WebSocket(`ws://127.0.0.1:${shop.port}/api/echo`)
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('open', () => socket.send('hi'))
    socket.on('message', (data) => {
      frames.push(String(data))
      socket.close()
    })
    socket.on('close', () => resolve())
  })
  t.same(frames, ['{"echo":"hi"}'], 'exactly one frame')

  const browser = await shop.get('/api/echo')
  t.equal(browser.status, 426)
  t.equal(browser.headers.get('upgrade'), 'websocket')
  t.match(browser.body, { statusCode: 426, code: 'SVC_WS_UPGRADE_REQUIRED', message: /WebSocket route/ })

  const listed = await shop.svc('routes')
  t.equal(listed.code, 0, listed.stderr)
  t.match(listed.stdout, /WEBSOCKET +\/api\/echo +WS +\^\/api +anonymous +- /, 'transport, zone, no guard')
  const json = await shop.svc('routes', '--json')
  const rows = JSON.parse(json.stdout) as Array<Record<string, unknown>>
  t.match(
    rows.find(({ path }) => path === '/api/echo'),
    { transport: 'WS', zone: { name: 'api', pattern: '^/api' }, guard: null }
  )
})
