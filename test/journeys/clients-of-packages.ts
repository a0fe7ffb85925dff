/**
 * Typed clients and tools, in a folder where nothing but packed packages is installed: one small application, called by
 * its map of routes, by its OpenAPI document, and as a tool.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { freePort } from '../support/ports.ts'
import { Running, run } from '../support/svc-command.ts'

const NOTES = `import { Body, controller, Get, Param, Post } from 'svc-decorators'

const properties = { id: { type: 'string' }, title: { type: 'string' } } as const
const note = { type: 'object', required: ['id', 'title'], properties } as const
const draft = { type: 'object', required: ['title'], properties: { title: properties.title } } as const

@controller('/api/notes')
export class Notes {
  @Get('/:id', { tool: { name: 'read_note', description: 'Reads a note.' }, response: note })
  read(@Param('id') id: string) {
    return { id, title: \`Note \${id}\` }
  }

  @Post('/', { body: draft, response: note })
  add(@Body() { title }: { title: string }) {
    return { id: '8', title }
  }
}
`

const CONFIG = `import svcDecorators from 'svc-decorators'
import { defineConfig } from 'svc-host'
import svcMcp from 'svc-mcp'
import svcOpenapi from 'svc-openapi'

export default defineConfig({
  server: { host: '127.0.0.1', port: Number(process.env.PORT) },
  modules: [
    [svcOpenapi, { title: 'Notes', version: '1.2.3' }],
    [svcMcp, { hosts: [\`127.0.0.1:\${process.env.PORT}\`] }],
    [svcDecorators, { dir: './controllers' }]
  ]
})
`

const APP = `import { application, serve } from 'svc-host'
import config from './svc.config.ts'

const app = application(config, import.meta.url)

export default app

if (import.meta.main) await serve(app, 'node dist/app.js')
`

const CLIENTS = `import { createClient as clientOfDocument, type Routes as Described } from 'notes-client'
import { createClient } from 'svc-client'
import type { Routes } from '../routes.d.ts'
`

const RIGHT = `${CLIENTS}
const baseUrl = process.argv[2] ?? ''
const mapped = createClient<Routes>({ baseUrl })
const added: { id: string; title: string } = await mapped.call('POST /api/notes', { body: { title: 'Rain' } })
const described = clientOfDocument<Described>({ baseUrl })
const read: { id: string; title: string } = await described.call('GET /api/notes/:id', { params: { id: '7' } })
console.log(JSON.stringify({ added, read }))
`

/** By hand: each of the lines 7 to 10 has one error. */
const WRONG = `${CLIENTS}
const mapped = createClient<Routes>()
const described = clientOfDocument<Described>()
await mapped.call('POST /api/notes', { body: { title: 1 } })
await mapped.call('GET /api/pages', {})
await described.call('POST /api/notes', { body: { name: 'Rain' } })
await described.call('GET /api/pages', {})
`

const ERRORS = [
  'clients/wrong.ts:7 TS2322',
  'clients/wrong.ts:8 TS2345',
  'clients/wrong.ts:9 TS2353',
  'clients/wrong.ts:10 TS2345'
]

const AGENT = `import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const client = new Client({ name: 'agent', version: '1.0.0' })
await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', process.argv[2])))
const { tools } = await client.listTools()
const { structuredContent } = await client.callTool({ name: 'read_note', arguments: { id: '7' } })
await client.close()
console.log(JSON.stringify({ tools: tools.map(({ name }) => name), called: structuredContent }))
`

const compilerOptions = {
  target: 'es2023',
  lib: ['es2023'],
  module: 'nodenext',
  types: ['node'],
  rootDir: '.',
  outDir: 'dist',
  strict: true,
  rewriteRelativeImportExtensions: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true
}

const FILES = {
  'package.json': JSON.stringify({ name: 'notes', private: true, type: 'module', dependencies: { 'svc-client': '*' } }),
  'tsconfig.json': JSON.stringify({ compilerOptions, include: ['*.ts', 'controllers'] }),
  'app.ts': APP,
  'svc.config.ts': CONFIG,
  'controllers/notes.ts': NOTES,
  // Declarations of packages are judged too.
  'clients/tsconfig.json': JSON.stringify({
    extends: '../tsconfig.json',
    compilerOptions: { rootDir: '..', noEmit: true, skipLibCheck: false },
    include: ['*.ts']
  }),
  'clients/right.ts': RIGHT,
  'clients/wrong.ts': WRONG,
  'clients/agent.mjs': AGENT
}

/** @param installed a folder whose node_modules has the packages; the application is made below it */
export async function callFromPackages(t: Test, installed: string): Promise<void> {
  const cwd = join(installed, 'notes')
  for (const [file, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(cwd, file)), { recursive: true })
    await writeFile(join(cwd, file), text)
  }
  const env = { PORT: String(await freePort()) }
  const origin = `http://127.0.0.1:${env.PORT}`
  const program = (name: string) => join(installed, 'node_modules/.bin', name)

  const built = await run(program('svc'), ['build'], { cwd, env })
  t.equal(built.code, 0, built.stdout + built.stderr)
  const started = new Running(program('svc'), ['start'], { cwd, env })
  t.teardown(() => started.stop('SIGKILL'))

  const printed = await run(program('svc'), ['openapi'], { cwd, env })
  t.equal(printed.code, 0, printed.stderr)
  t.strictSame(Object.keys(JSON.parse(printed.stdout).paths).sort(), ['/api/notes', '/api/notes/{id}'])
  await writeFile(join(cwd, 'notes.json'), printed.stdout)
  const target = ['--openapi', 'notes.json', '--out', 'node_modules/notes-client']
  const written = await run(program('svc'), ['client', ...target], { cwd, env })
  t.equal(written.code, 0, written.stderr)

  const compiled = await run(program('tsc'), ['-p', 'clients', '--pretty', 'false'], { cwd })
  const errors = [...compiled.stdout.matchAll(/^(\S+)\((\d+),\d+\): error (TS\d+)/gm)]
  t.strictSame(
    errors.map(([, file, line, code]) => `${file}:${line} ${code}`),
    ERRORS,
    'the right calls compile, each of the wrong ones does not'
  )

  await started.shows(/Server listening at/)
  const called = await run(process.execPath, ['clients/right.ts', origin], { cwd })
  const answers = { added: { id: '8', title: 'Rain' }, read: { id: '7', title: 'Note 7' } }
  t.strictSame(JSON.parse(called.stdout || 'null'), answers, called.stderr)

  const agent = await run(process.execPath, ['clients/agent.mjs', origin], { cwd })
  const seen = { tools: ['read_note'], called: { id: '7', title: 'Note 7' } }
  t.strictSame(JSON.parse(agent.stdout || 'null'), seen, agent.stderr)
  t.strictSame(await (await fetch(`${origin}/api/notes/7`)).json(), seen.called, 'as the route answers')
  await started.stop()
}
