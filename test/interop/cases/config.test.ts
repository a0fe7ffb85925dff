/** Area `config`: what the operator wrote, refused where it means nothing, shown as it is in force, taken anew at a reload. */
import { renewRegistries } from 'svc-kernel/plugin'
import { type Jury, registerVoterFactory, type SvcSecurityOptions } from 'svc-security'
import type { Test } from 'tap'
import { rawExchange, rawRequest } from '../../support/raw-http.ts'
import { Shop } from '../../support/shop.ts'
import { startApp } from '../../support/start-app.ts'
import { securityCase } from './security-case.ts'

securityCase('CFG-01', async (t) => {
  const rows: Array<[path: string, options: object]> = [
    ['svc-security.area', { area: {} }],
    [
      'svc-security.areas.api.patern',
      { areas: { api: { patern: '^/api', pattern: '^/api', authenticators: ['jwt'] } } }
    ],
    ['svc-security.session.idleTimeout', { session: { idleTimeout: 60 } }],
    ['svc-security.jwt.algorithms', { jwt: { algorithms: ['HS256'] } }],
    ['svc-security.csrf.trustedOrigin', { csrf: { trustedOrigin: [] } }],
    ['svc-security.__proto__', JSON.parse('{"__proto__": {"areas": {}}}') as object]
  ]
  for (const [path, options] of rows) {
    const error = await startApp(t, { security: options as SvcSecurityOptions }).then(
      () => null,
      (thrown: unknown) => thrown as { problems: Array<{ at?: string }> }
    )
    t.match(error?.problems, [{ at: path }], path)
  }
})

securityCase(
  'CFG-02',
  async (t) => {
    const shop = await Shop.create(t)
    const controller = (path: string, body: string) => `
import { Anonymous, controller, Get, IsGranted, Post } from 'svc-decorators'
export const used = [Anonymous, Get, IsGranted, Post]
@controller('${path}')
export class Shown {
${body}
}
`
    const open = "  @Get('/list')\n  list() {\n    return []\n  }\n"
    const guarded = "  @Post('/make')\n  @IsGranted('ROLE_ADMIN')\n  make() {\n    return {}\n  }\n"
    const visitors = "  @Get('/news')\n  @Anonymous()\n  news() {\n    return []\n  }"
    await shop.write('controllers/inside.ts', controller('/api/admin/things', open + guarded + visitors))
    await shop.write('controllers/outside.ts', controller('/elsewhere', open).replace('Shown', 'Elsewhere'))
    await shop.edit(
      'svc.config.ts',
      /areas: \{[\s\S]*?\n {8}\}/,
      `areas: {
          admin: { pattern: '^/api/admin', authenticators: ['session'] },
          api: { pattern: '^/api', authenticators: ['anonymous'] }
        }`
    )
    const { code, stdout, stderr } = await shop.svc('routes', '--json')
    t.equal(code, 0, stderr)
    type Row = { method: string; path: string; zone: { name: string } | null; authenticators: string[]; guard: string }
    const rows = (JSON.parse(stdout) as Row[]).map(({ method, path, zone, authenticators, guard }) => [
      `${method} ${path}`,
      zone?.name ?? null,
      authenticators.join(),
      guard
    ])
    const shown = (path: string) => rows.filter(([route]) => route?.endsWith(path))
    t.strictSame(shown('/api/admin/things/list').at(0)?.slice(1), ['admin', 'session', null], 'the first zone wins')
    t.strictSame(shown('/api/admin/things/make'), [['POST /api/admin/things/make', 'admin', 'session', 'ROLE_ADMIN']])
    t.strictSame(shown('/api/admin/things/news').at(0)?.slice(1), ['admin', '', null], 'open to visitors')
    t.strictSame(shown('/elsewhere/list').at(0)?.slice(1), [null, '', null], 'outside of every zone')
  },
  '`svc routes`: every route and method with its zone, authenticators and guard'
)

/** One generation of an application: its own voter, its own zone. */
async function generation(t: Test, pattern: string) {
  registerVoterFactory('mine', () => ({ supports: (attribute) => attribute === 'publish', vote: () => 'GRANT' }))
  const { fastify, port } = await startApp(t, {
    mode: 'development',
    security: { areas: { site: { pattern, authenticators: ['session'] } } }
  })
  const voters = (fastify.jury as Jury).voters.map(({ name }) => name)
  const ask = async (target: string) => (await rawExchange(port, rawRequest('GET', target))).status
  return { fastify, voters, ask }
}

securityCase('CFG-08', async (t) => {
  const undo = renewRegistries()
  t.teardown(undo)
  const before = await generation(t, '^/old')
  t.strictSame([await before.ask('/old/x'), await before.ask('/new/x')], [401, 404])
  const voters = before.voters
  t.throws(() => registerVoterFactory('late', () => ({ supports: () => true, vote: () => 'GRANT' })), {
    code: 'SVC_KERNEL_REGISTRY_SEALED'
  })
  for (let time = 0; time < 3; time += 1) {
    renewRegistries()
    const after = await generation(t, '^/new')
    t.strictSame(after.voters, voters, 'no voter twice')
    t.strictSame([await after.ask('/old/x'), await after.ask('/new/x')], [404, 401], 'no zone left over')
    await after.fastify.close()
  }
  t.strictSame([await before.ask('/old/x'), await before.ask('/new/x')], [401, 404], 'what still runs is not touched')
})
