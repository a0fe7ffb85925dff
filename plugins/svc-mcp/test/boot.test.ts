/** What the boot says of tools that cannot be served: everything at once. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { controller, Get, Post } from 'svc-decorators'
import t, { type Test } from 'tap'
import { AREAS, builtApp, Notes, type NotesSetting } from './support/notes-app.ts'

async function problemsOf(
  t: Test,
  setting: NotesSetting
): Promise<readonly { code: string; message: string; at?: string }[]> {
  try {
    const { app } = await builtApp(setting)
    t.teardown(() => app.close())
    await app.ready()
    return []
  } catch (error) {
    return (error as { problems?: [] }).problems ?? []
  }
}

@controller('/api/wrong')
class Wrong {
  @Get('/bare', { tool: true })
  bare() {}

  @Get('/named', { tool: { name: 'not a name', description: 'Is named badly.' } })
  named() {}

  @Get('/first', { tool: { name: 'same', description: 'Is the first.' } })
  first() {}

  @Get('/second', { tool: { name: 'same', description: 'Is the second.' } })
  second() {}

  @Get('/header', {
    tool: { description: 'Needs a header.' },
    headers: { type: 'object', required: ['x-tenant'], properties: { 'x-tenant': { type: 'string' } } }
  })
  header() {}

  @Post('/upload', { tool: { description: 'Takes a file.' }, schema: { consumes: ['multipart/form-data'] } })
  upload() {}

  @Get('/files/*', { tool: { description: 'Has a wildcard.' } })
  files() {}

  @Post('/post', { resource: { description: 'Is no GET.' } })
  post() {}
}

t.test('every problem of every tool is told together, with its place', async (t) => {
  const problems = await problemsOf(t, { controllers: [Wrong] })
  t.same(
    problems.map(({ code, message }) => [
      code,
      /\((\w+ \S+)\)/.exec(message)?.[1] ?? /: (\w+ \S+) and/.exec(message)?.[1]
    ]),
    [
      ['SVC_MCP_DESCRIPTION', 'GET /api/wrong/bare'],
      ['SVC_MCP_NAME', 'GET /api/wrong/named'],
      ['SVC_MCP_ROUTE', 'GET /api/wrong/header'],
      ['SVC_MCP_ROUTE', 'POST /api/wrong/upload'],
      ['SVC_MCP_ROUTE', 'GET /api/wrong/files/*'],
      ['SVC_MCP_DUPLICATE', 'GET /api/wrong/first'],
      ['SVC_MCP_ROUTE', 'POST /api/wrong/post']
    ]
  )
  for (const { at } of problems) t.match(at, /boot\.test\.[jt]s:\d+/)
})

t.test('summary and description of a plain route are the description of its tool', async (t) => {
  const routes: NotesSetting['routes'] = (app) => {
    app.get('/plain/:id', { schema: { summary: 'Reads a thing' } as object, config: { tool: true } }, async () => ({}))
  }
  t.same(await problemsOf(t, { routes }), [])
})

t.test('the zone of the endpoint has the URL of the endpoint as its audience', async (t) => {
  const pattern = '^/mcp$'
  const rows: Array<[NonNullable<NotesSetting['areas']>, string[]]> = [
    [AREAS, []],
    [{ ...AREAS, mcp: { pattern, authenticators: ['jwt'] } }, ['SVC_MCP_AUDIENCE']],
    [
      { ...AREAS, mcp: { pattern, authenticators: ['jwt'], audience: 'https://notes.example/other' } },
      ['SVC_MCP_AUDIENCE']
    ],
    [
      { ...AREAS, mcp: { pattern, authenticators: ['jwt'], audience: 'https://notes.example/mcp#part' } },
      ['SVC_MCP_AUDIENCE']
    ],
    [
      { ...AREAS, mcp: { pattern, authenticators: ['jwt', 'apikey'], audience: 'https://notes.example/mcp' } },
      ['SVC_ZONE_AUDIENCE']
    ],
    [{ ...AREAS, mcp: { pattern, authenticators: ['jwt'], audience: 'svc' } }, ['SVC_ZONE_AUDIENCE']],
    [{ ...AREAS, mcp: { pattern, authenticators: ['anonymous'] } }, []]
  ]
  for (const [areas, expected] of rows) {
    const codes = (await problemsOf(t, { areas })).map(({ code }) => code)
    t.same(codes, expected, JSON.stringify(areas?.mcp))
  }
})

t.test('in production, something says which hosts the endpoint has', async (t) => {
  const areas = { open: { pattern: '^/', authenticators: ['anonymous'] } }
  const codes = async (setting: NotesSetting) =>
    (await problemsOf(t, { areas, controllers: [Notes], ...setting })).map(({ code }) => code)
  t.same(await codes({ mode: 'production' }), ['SVC_MCP_HOSTS'])
  t.same(await codes({ mode: 'production', mcp: { hosts: ['notes.example'] } }), [])
  t.same(await codes({ mode: 'development' }), [])
})

t.test('prompts are files that say what they are for', async (t) => {
  const root = t.testdir({ good: { 'greet.md': '# Greeting\n\nGreets somebody.\n\nHello {{name}}!' } })
  mkdirSync(join(root, 'bad'))
  for (const [name, text] of [
    ['not a name.md', 'A text.'],
    ['empty.md', '# Only a heading']
  ] as const)
    writeFileSync(join(root, 'bad', name), text)
  const codes = async (prompts: string) => (await problemsOf(t, { root, mcp: { prompts } })).map(({ code }) => code)
  t.same(await codes('./good'), [])
  t.same(await codes('./bad'), ['SVC_MCP_DESCRIPTION', 'SVC_MCP_NAME'])
  t.same(await codes('./absent'), ['SVC_MCP_PROMPTS'])
})
