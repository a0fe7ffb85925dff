/**
 * The guides of fastify-cli, done to the letter: their code blocks are what is written into applications that
 * `fastify generate` lays down, and `fastify start` serves them.
 * In the long run: it starts the tools of fastify-cli for each guide.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { readPage } from '../interop/documentation/markdown-page.ts'
import { inRepository } from '../interop/documentation/repository.ts'
import { GeneratedApp } from './generated-app.ts'

const GUIDES = ['docs/guides/fastify-cli.md', 'docs/guides/fastify-cli-plugins.md']
const blocks = new Map(
  GUIDES.flatMap((path) => readPage(path, readFileSync(inRepository(path), 'utf8')).blocks).flatMap(({ words, code }) =>
    words.filter((word) => word.startsWith('file=')).map((word) => [word.slice('file='.length), code] as const)
  )
)

function block(file: string): string {
  const code = blocks.get(file)
  if (code === undefined) throw new Error(`${GUIDES.join(' and ')} have no block file=${file}`)
  return code
}

const NOTES = `export default async function (fastify) {
  fastify.get('/', async () => fastify.orm.repository('Note').count())
  fastify.post('/', async ({ body }) => fastify.orm.repository('Note').create(body))
}
`

async function status(url: string, init?: RequestInit): Promise<number> {
  const answer = await fetch(url, init)
  await answer.arrayBuffer()
  return answer.status
}

async function listens(t: Test, url: string): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/svc/realtime`)
  const answered = new Promise<unknown>((resolve) => {
    socket.onmessage = ({ data }) => {
      const { id, result } = JSON.parse(data as string) as { id?: number; result?: unknown }
      if (id === 1) resolve(result)
    }
  })
  await once(socket, 'open')
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'channel.subscribe', params: { channel: 'news' } }))
  t.ok(await answered, 'subscribed')
  socket.close()
  await once(socket, 'close')
}

async function keepsNotes(t: Test, url: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  t.equal(await status(`${url}/notes`, { method: 'POST', headers, body: '{"text":"buy milk"}' }), 200)
  t.equal(await (await fetch(`${url}/notes`)).text(), '1')
}

/** What an application with one of the plugins answers. */
const PLUGINS: Readonly<Record<string, (t: Test, url: string) => Promise<void>>> = {
  security: async (t, url) => {
    t.equal(await status(`${url}/example`), 401, 'a route of a scope beside it')
    t.equal(await status(`${url}/example/unknown`), 401, 'an unknown path in the zone')
    t.equal(await status(`${url}/unknown`), 404)
  },
  audit: async (t, url) => void t.equal(await status(`${url}/svc/security/api/audit/events`), 403, 'closed, and there'),
  webhooks: async (t, url) => void t.equal(await status(`${url}/svc/security/api/webhooks`), 403, 'closed, and there'),
  realtime: listens,
  sql: keepsNotes,
  controllers: async (t, url) => void t.match(await (await fetch(`${url}/greetings`)).json(), { hello: 'world' })
}

async function all(t: Test, url: string): Promise<void> {
  t.equal(await status(url), 200)
  await PLUGINS.security?.(t, url)
  t.equal(await status(`${url}/svc/security/api/webhooks`), 401, 'for administrators')
  t.equal(await status(`${url}/greetings`), 403, 'guarded')
  await listens(t, url)
  await keepsNotes(t, url)
}

/** Templates that are run from their sources: the text of the guide is the same in both. */
const TEMPLATES = [
  { flags: ['--esm'], source: '', ending: 'js', notes: NOTES },
  { flags: ['--esm', '--lang=ts'], source: 'src/', ending: 'ts', notes: NOTES.replace('fastify)', 'fastify: any)') }
] as const

for (const { flags, source, ending, notes } of TEMPLATES) {
  t.test(`E1: each plugin alone, in an application of fastify generate ${flags.join(' ')}`, async (t) => {
    const app = await GeneratedApp.generate(t, ...flags)
    const routes = `${source}routes/notes/index.${ending}`
    for (const [name, answers] of Object.entries(PLUGINS)) {
      const file = `${source}plugins/${name}.${ending}`
      await app.write(file, block(`plugins/${name}.ts`))
      if (name === 'sql') await app.write(routes, notes)
      await app.serving(`${source}app.${ending}`, async (url) => {
        t.equal(await status(url), 200, `${name}: the generated route answers`)
        await answers(t, url)
      })
      await app.remove(file)
      if (name === 'sql') await app.remove(routes)
    }
  })
}

t.test('E1: all plugins in one file, in every template of fastify generate', async (t) => {
  await t.test('--esm', async (t) => {
    const app = await GeneratedApp.generate(t, '--esm')
    await app.write('plugins/svc.js', block('plugins/svc.ts'))
    await app.write('routes/notes/index.js', NOTES)
    await app.serving('app.js', (url) => all(t, url))
  })
  await t.test('--esm --lang=ts, from its sources', async (t) => {
    const app = await GeneratedApp.generate(t, '--esm', '--lang=ts')
    await app.write('src/plugins/svc.ts', block('plugins/svc.ts'))
    await app.write('src/routes/notes/index.ts', TEMPLATES[1].notes)
    await app.serving('src/app.ts', (url) => all(t, url))
  })
  await t.test('--lang=ts, compiled', async (t) => {
    const app = await GeneratedApp.generate(t, '--lang=ts')
    await app.edit('tsconfig.json', '"outDir": "dist",', '"outDir": "dist",\n    "rootDir": "src",')
    await app.write('src/plugins/svc.ts', block('plugins/svc.ts'))
    await app.write(
      'src/routes/notes/index.ts',
      NOTES.replace('fastify)', 'fastify: any)').replaceAll('({ body })', '({ body }: any)')
    )
    const compiled = await app.compile()
    t.equal(compiled.code, 0, compiled.stdout)
    await app.serving('dist/app.js', (url) => all(t, url))
  })
  await t.test('CommonJS', async (t) => {
    const app = await GeneratedApp.generate(t)
    await app.write('plugins/security.js', block('plugins/security.cjs'))
    await app.serving('app.js', async (url) => {
      t.equal(await status(url), 200)
      await PLUGINS.security?.(t, url)
    })
  })
})

t.test('E1: a plugin without the wrapper does not start, and says what to write', async (t) => {
  const app = await GeneratedApp.generate(t, '--esm')
  for (const [name, code] of [
    ['security', 'SVC_SEC_NOT_ROOT'],
    ['realtime', 'SVC_REALTIME_NOT_ROOT']
  ] as const) {
    const bare = block(`plugins/${name}.ts`).replace('export default fp(', 'export default (')
    await app.write(`plugins/${name}.js`, bare)
    const { running } = await app.start('app.js')
    const { code: exit } = await running.finished()
    t.not(exit, 0)
    t.match(running.output, code)
    t.match(running.output, 'GET /', 'a route that would miss it')
    t.match(running.output, 'export default fp(async (fastify) => { ... })')
    t.match(running.output, 'npx svc docs fastify-cli', 'the guide')
    await app.remove(`plugins/${name}.js`)
  }
})
