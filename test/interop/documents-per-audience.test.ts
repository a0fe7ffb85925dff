/**
 * The API documents of an application of preset `full`, over HTTP: who reads which, before and after a change of roles,
 * and what each has. What is an administrator's is taken from the firewall's report of the guards, not from a document.
 *
 * In a process of its own: the application is loaded from its folder, which becomes the current one.
 */
import { Validator } from '@seriousme/openapi-schema-validator'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { API, fullApp, PASSWORD } from '../support/full-app.ts'

const DOCS = '/svc/docs/api'

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
}

t.test('a document for each audience', { timeout: 0 }, async (t) => {
  const { fastify } = await fullApp(t, {
    open: true,
    documents: {
      partners: { role: 'ROLE_PARTNER', include: ['/api/*'] },
      users: { role: 'ROLE_USER', include: ['/api/notes*', `${API}/auth/*`] },
      everything: { open: true, include: ['/*'] }
    }
  })
  for (const [identifier, roles] of [
    ['root', ['ROLE_SVC_ADMIN']],
    ['ann', ['ROLE_USER']]
  ] as const)
    await fastify.userAccounts.create({ identifier, password: PASSWORD, roles })
  const url = await fastify.listen({ host: '127.0.0.1', port: 0 })
  const ask = async (path: string, cookie = '') => {
    const answer = await fetch(url + DOCS + path, { headers: { cookie } })
    return { status: answer.status, text: await answer.text() }
  }
  const read = async (path: string, cookie = '') => {
    const { status, text } = await ask(path, cookie)
    t.equal(status, 200, path)
    return JSON.parse(text) as Described
  }
  const signIn = async (username: string) => {
    const answer = await fetch(`${url}${API}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password: PASSWORD })
    })
    t.equal(answer.status, 200, `login of ${username}`)
    return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
  }
  const [root, ann] = [await signIn('root'), await signIn('ann')]
  const statuses = async (cookie?: string) => {
    const asked = [
      '/json',
      '/everything/json',
      '/users/json',
      '/partners/json',
      '/admin/json',
      '/admin/',
      '/admin/yaml'
    ]
    const answers = await Promise.all(asked.map((path) => ask(path, cookie)))
    return answers.map(({ status }) => status)
  }

  await t.test('who reads which', async (t) => {
    t.strictSame(await statuses(), [200, 200, 401, 401, 401, 401, 401], 'the anonymous visitor')
    t.strictSame(await statuses(ann), [200, 200, 200, 403, 403, 403, 403], 'a user')
    t.strictSame(await statuses(root), [200, 200, 403, 403, 200, 200, 200], 'an administrator')
  })

  await t.test('roles that change count from the next request on, in the same session', async (t) => {
    await fastify.userAccounts.setRoles('ann', ['ROLE_PARTNER'])
    t.strictSame(await statuses(ann), [200, 200, 403, 200, 403, 403, 403], 'ann is a partner')
    await fastify.userAccounts.setRoles('ann', ['ROLE_SVC_ADMIN'])
    t.strictSame(await statuses(ann), [200, 200, 403, 403, 200, 200, 200], 'ann is an administrator')
    await fastify.userAccounts.setRoles('ann', ['ROLE_USER'])
    t.strictSame(await statuses(ann), [200, 200, 200, 403, 403, 403, 403], 'ann is a user again')
  })

  await t.test('what is open has no operation of administrators; theirs has all of these, and no other', async (t) => {
    const guarded = administratorsRoutes(fastify)
    t.ok(guarded.length >= 25, 'the administrative routes are there')
    const [main, everything, admin] = [
      await read('/json'),
      await read('/everything/json'),
      await read('/admin/json', root)
    ]
    t.strictSame(operationsOf(admin), guarded)
    t.strictSame(operationsOf(everything), operationsOf(main))
    t.strictSame(
      operationsOf(main).filter((operation) => guarded.includes(operation)),
      []
    )
    for (const operation of ['GET /api/notes', `POST ${API}/auth/login`, `GET ${API}/auth/me`])
      t.ok(operationsOf(main).includes(operation), `${operation} is in the main document`)
    t.strictSame(operationsOf(fastify.swagger() as unknown as Described), operationsOf(main))
  })

  await t.test('each is valid OpenAPI', async (t) => {
    await fastify.userAccounts.setRoles('ann', ['ROLE_USER', 'ROLE_PARTNER'])
    for (const [path, cookie] of [
      ['/json', ''],
      ['/everything/json', ''],
      ['/users/json', ann],
      ['/partners/json', ann],
      ['/admin/json', root]
    ] as const) {
      const document = await read(path, cookie)
      t.ok(operationsOf(document).length > 0, `${path} has operations`)
      const { valid, errors } = await new Validator().validate(structuredClone(document) as never)
      t.ok(valid, `${path}: ${JSON.stringify(errors)}`)
    }
  })
})

function operationsOf({ paths }: Described): string[] {
  return Object.entries(paths)
    .flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`))
    .sort()
}

/** Routes of HTTP with a clause that is the role alone. Pages for people, the console and those of documents, are no API. */
function administratorsRoutes(fastify: FastifyInstance): string[] {
  const routes = fastify.firewall
    .report()
    .filter(({ path }) => !path.startsWith(DOCS) && !path.startsWith('/svc/console'))
  return routes
    .filter(({ requirement }) =>
      requirement?.some((clause) => JSON.stringify(clause) === '[{"attribute":"ROLE_SVC_ADMIN"}]')
    )
    .flatMap(({ method, path }) => method.split(',').map((each) => `${each} ${path.replace(/:(\w+)/g, '{$1}')}`))
    .filter((operation) => !/^(?:HEAD|WEBSOCKET) /.test(operation))
    .sort()
}
