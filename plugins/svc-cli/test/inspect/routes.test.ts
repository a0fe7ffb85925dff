/** The commands that ask an application something: nothing listens, whatever the answer. */
import t from 'tap'
import { createdApp, edit, write } from '../support/sandbox.ts'
import { runSvc } from '../support/svc-process.ts'

const PING = `
import { controller, Get, IsGranted, RequireScope } from 'svc-decorators'
@controller('/api')
export class PingController {
  @IsGranted('ROLE_USER')
  @Get('/ping')
  ping () { return {} }

  @IsGranted(['ROLE_ADMIN', 'ROLE_AUDITOR'])
  @RequireScope('orders:read')
  @Get('/orders/:id')
  order () { return {} }
}
`

t.test('svc routes, svc explain', async (t) => {
  const cwd = await createdApp(t)
  await write(cwd, 'controllers/ping.ts', PING)

  await t.test('a table', async (t) => {
    const { code, stdout, stderr } = await runSvc(['routes'], { cwd })
    t.equal(code, 0, stderr)
    t.strictSame(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/ {2,}/)),
      [
        ['METHOD', 'PATH', 'TRANSPORT', 'ZONE', 'AUTHENTICATORS', 'GUARD', 'ROUTE', 'SOURCE'],
        ['GET', '/', 'HTTP', '-', '-', '-', 'HomeController.home', 'controllers/home.ts:6'],
        ['WEBSOCKET', '/api/echo', 'WS', '^/api', 'anonymous', '-', 'HelloController.echo', 'controllers/hello.ts:13'],
        ['GET', '/api/hello', 'HTTP', '^/api', 'anonymous', '-', 'HelloController.hello', 'controllers/hello.ts:7'],
        [
          'GET',
          '/api/orders/:id',
          'HTTP',
          '^/api',
          'anonymous',
          '(ROLE_ADMIN | ROLE_AUDITOR) & orders:read',
          'PingController.order',
          'controllers/ping.ts:11'
        ],
        ['GET', '/api/ping', 'HTTP', '^/api', 'anonymous', 'ROLE_USER', 'PingController.ping', 'controllers/ping.ts:6']
      ]
    )
    t.equal(stderr, '')
  })

  await t.test('the same as JSON', async (t) => {
    const { stdout } = await runSvc(['routes', '--json'], { cwd })
    const rows = JSON.parse(stdout) as Array<{ path: string }>
    t.match(
      rows.find(({ path }) => path === '/api/ping'),
      {
        method: 'GET',
        transport: 'HTTP',
        zone: { name: 'api', pattern: '^/api' },
        guard: 'ROLE_USER',
        access: 'guarded'
      }
    )
  })

  await t.test('why a caller is refused, or not', async (t) => {
    await edit(cwd, 'svc.config.ts', [
      "authenticators: ['anonymous']",
      "authenticators: ['session', 'apikey', 'anonymous']"
    ])
    const rows: Array<[args: string[], says: RegExp]> = [
      [['GET', '/api/hello'], /decision +granted: the controller answers\n$/],
      [
        ['GET', '/api/ping'],
        /ROLE_USER {2}role: ABSTAIN "ROLE_USER is missing: anonymous has no role; .*" {2}-> refused \(abstain\)\ndecision +403 refused: abstain\n$/
      ],
      [
        ['GET', '/api/ping', '--as', 'alice'],
        /403 refused: abstain\nnote +assumed: alice is authenticated; there is no user alice/
      ],
      [
        ['GET', '/api/ping', '--as', 'alice', '--roles', 'ROLE_ADMIN'],
        /role: GRANT "alice has ROLE_ADMIN, which inherits ROLE_USER" {2}-> granted\ndecision +granted/
      ],
      [['HEAD', '/api/ping?x=1', '--as', 'alice'], /route +PingController\.ping/],
      [['ws', '/api/echo'], /route +HelloController\.echo .*\n(?:.*\n)+decision +granted/],
      [['WEBSOCKET', '/api/hello'], /404: no route answers/],
      [
        ['GET', '/api/orders/7', '--as', 'bob', '--roles', 'ROLE_AUDITOR'],
        /by +session: granted.*\nguard 1\/2 +passed\n(?:.*\n)+decision +depends on the proof: session granted, apikey 403/
      ],
      [
        ['GET', '/api/orders/7', '--as', 'robot', '--roles', 'ROLE_ADMIN', '--scopes', 'orders:write'],
        /by +apikey: 403 refused: abstain\n(?:.*\n)+guard 2\/2 +refused\n {2}orders:read {2}scope: ABSTAIN "the scope orders:read is missing: the credential of robot has orders:write" {2}-> refused/
      ]
    ]
    for (const [args, says] of rows) {
      const { code, stdout, stderr } = await runSvc(['explain', ...args], { cwd })
      t.equal(code, 0, stderr)
      t.match(stdout, says, args.join(' '))
    }
  })

  await t.test('the explanation as JSON', async (t) => {
    const { stdout } = await runSvc(['explain', 'GET', '/api/ping', '--as', 'alice', '--json'], { cwd })
    t.match(JSON.parse(stdout), {
      method: 'GET',
      caller: { identifier: 'alice', roles: [] },
      route: { name: 'PingController.ping' },
      zone: { name: 'api', authenticators: ['session', 'apikey', 'anonymous'] },
      proofs: ['session', 'apikey'].map((authenticator) => ({
        authenticator,
        clauses: [
          { granted: false, attributes: [{ attribute: 'ROLE_USER', votes: [{ voter: 'role', vote: 'ABSTAIN' }] }] }
        ],
        status: 403
      })),
      decision: 'refused',
      status: 403,
      reason: 'abstain'
    })
  })

  await t.test('an application that does not load answers with its problems, and code 1', async (t) => {
    await edit(cwd, 'svc.config.ts', ['pattern:', 'patern:'])
    for (const args of [['routes'], ['explain', 'GET', '/']]) {
      const { code, stdout, stderr } = await runSvc(args, { cwd })
      t.equal(code, 1)
      t.match(stderr, /svc-security\.areas\.api\.patern/)
      t.equal(stdout, '')
    }
  })
})
