/**
 * The inspector of the Model Context Protocol, in its terminal form, lists and calls tools, and reads resources. It judges
 * the schemas too: `--strict` ends with 6 where a model's vendor would refuse one.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import svcDecorators, { Body, controller, Get, IsGranted, Param, Post, Query } from 'svc-decorators'
import { application, createServer, defineConfig } from 'svc-host'
import svcMcp from 'svc-mcp'
import svcSecurity from 'svc-security'
import { newStoredKey } from 'svc-security/host'
import t from 'tap'
import { portOf } from '../support/ports.ts'
import { repository } from '../support/svc-command.ts'

t.setTimeout(600_000)

const FOLDER = join(repository, '.config', 'inspector')
const PROGRAM = join(FOLDER, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js')
const AUDIENCE = 'https://notes.example/mcp'

const note = {
  type: 'object',
  required: ['id', 'text'],
  properties: { id: { type: 'string' }, text: { type: 'string' }, marks: { type: ['integer', 'null'] } }
} as const
const draft = {
  type: 'object',
  required: ['text'],
  additionalProperties: false,
  properties: { text: { type: 'string', minLength: 1 }, marks: { type: 'integer' } }
} as const

@controller('/api/notes')
@IsGranted('ROLE_USER')
class Notes {
  @Get('/', {
    tool: { name: 'list_notes', description: 'Lists notes.' },
    resource: { name: 'notes', description: 'All notes.' },
    query: { type: 'object', properties: { limit: { type: 'integer', default: 2 } } },
    response: { type: 'array', items: note }
  })
  list(@Query('limit') limit: number): unknown {
    return [
      { id: '1', text: 'one' },
      { id: '2', text: 'two' },
      { id: '3', text: 'three' }
    ].slice(0, limit)
  }

  @Get('/:id', { tool: { name: 'read_note', description: 'Reads a note.' }, response: note })
  read(@Param('id') id: string): unknown {
    return { id, text: 'one' }
  }

  @Post('/', { tool: { name: 'add_note', description: 'Adds a note.' }, body: draft, response: { 201: note } })
  add(@Body() { text }: { text: string }): unknown {
    return { id: '4', text }
  }

  @Post('/all', { tool: { name: 'remove_notes', description: 'Removes all notes.', confirm: true } })
  @IsGranted('ROLE_EDITOR')
  removeAll(): void {}
}

const users: Readonly<Record<string, readonly string[]>> = { ann: ['ROLE_USER'], nobody: [] }

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

t.test('the inspector', async (t) => {
  const { installIn } = await import(pathToFileURL(join(repository, '.config', 'bootstrap.mjs')).href)
  try {
    await installIn(FOLDER, 'the inspector of the Model Context Protocol')
  } catch (error) {
    process.stderr.write('\n  SKIPPED: the inspector cannot be installed here, so it was not tried\n\n')
    t.comment(String(error))
    t.plan(0, 'the inspector cannot be installed')
    return
  }
  const fastify = await createServer(application(config(), import.meta.url))
  t.teardown(() => fastify.close())
  await fastify.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${portOf(fastify.server)}/mcp`
  const home = t.testdir()
  const run = (...args: readonly string[]) =>
    new Promise<Ended>((resolve) => {
      const env = { ...process.env, HOME: home, NODE_OPTIONS: '' }
      const given = [PROGRAM, '--cli', url, '--transport', 'http', '--stored-auth-only', ...args]
      execFile(process.execPath, given, { env }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
      })
    })
  const as = async (identifier: string) => {
    const { accessToken } = await fastify.tokens.issue({ identifier }, { audience: AUDIENCE })
    return (...args: readonly string[]) => run('--header', `Authorization: Bearer ${accessToken}`, ...args)
  }
  const inspect = await as('ann')

  await t.test('lists what the caller may call, in schemas that each vendor takes', async (t) => {
    const { code, stdout, stderr } = await inspect('--method', 'tools/list', '--strict')
    t.equal(code, 0, stderr)
    t.strictSame(
      JSON.parse(stdout)
        .tools.map(({ name }: { name: string }) => name)
        .sort(),
      ['add_note', 'list_notes', 'read_note']
    )
    const nobody = await as('nobody')
    t.strictSame(JSON.parse((await nobody('--method', 'tools/list')).stdout).tools, [])
  })

  await t.test('calls them', async (t) => {
    const read = await inspect('--method', 'tools/call', '--tool-name', 'read_note', '--tool-arg', 'id=7')
    t.strictSame(JSON.parse(read.stdout).structuredContent, { id: '7', text: 'one' })
    const listed = await inspect('--method', 'tools/call', '--tool-name', 'list_notes', '--tool-arg', 'limit=1')
    t.strictSame(JSON.parse(listed.stdout).structuredContent, { result: [{ id: '1', text: 'one' }] })
    const added = await inspect('--method', 'tools/call', '--tool-name', 'add_note', '--tool-arg', 'text=new')
    t.strictSame(JSON.parse(added.stdout).structuredContent, { id: '4', text: 'new' })
  })

  await t.test('shows refusals as errors of the tool', async (t) => {
    const call = ['--method', 'tools/call', '--tool-name']
    const denied = await inspect(...call, 'remove_notes')
    t.match(`${denied.stdout}${denied.stderr}`, /403|SVC_SEC_DENIED|not found/i)
    t.not(denied.code, 0)
    const invalid = await inspect(...call, 'add_note', '--tool-arg', 'text=x', 'more=1')
    t.match(`${invalid.stdout}${invalid.stderr}`, /SVC_MCP_ARGUMENTS/)
    t.not(invalid.code, 0)
  })

  await t.test('reads resources', async (t) => {
    const { resources } = JSON.parse((await inspect('--method', 'resources/list')).stdout)
    t.match(resources, [{ name: 'notes', uri: 'svc:///api/notes' }])
    const read = await inspect('--method', 'resources/read', '--uri', 'svc:///api/notes')
    t.strictSame(JSON.parse(JSON.parse(read.stdout).contents[0].text), [
      { id: '1', text: 'one' },
      { id: '2', text: 'two' }
    ])
  })

  await t.test('is refused without a token', async (t) => {
    const { code, stdout, stderr } = await run('--method', 'tools/list')
    t.not(code, 0)
    t.match(`${stdout}${stderr}`, /auth_required/)
  })
})

function config() {
  const findByIdentifier = (identifier: string) => {
    const roles = users[identifier]
    return roles === undefined ? null : { identifier, roles }
  }
  return defineConfig({
    name: 'notes',
    mode: 'development',
    server: { logger: false },
    modules: [
      [
        svcSecurity,
        {
          areas: {
            mcp: { pattern: '^/mcp$', authenticators: ['jwt'], audience: AUDIENCE },
            api: { pattern: '^/api', authenticators: ['jwt'] }
          },
          jwt: { keySetJson: JSON.stringify({ keys: [newStoredKey(0)] }) },
          parts: { users: { findByIdentifier } }
        }
      ],
      svcMcp,
      [svcDecorators, { controllers: [Notes] }]
    ]
  })
}
