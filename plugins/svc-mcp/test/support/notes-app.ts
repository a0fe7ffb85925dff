/** An application with tools, its tokens, and the reference client of the protocol. */
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import Fastify, { type FastifyInstance } from 'fastify'
import svcDecorators, {
  Body,
  CurrentUser,
  controller,
  Delete,
  Get,
  IsGranted,
  Param,
  Patch,
  Post,
  Query,
  RequireScope
} from 'svc-decorators'
import type { AuditRecord, User } from 'svc-kernel'
import svcSecurity, { type SvcSecurityOptions } from 'svc-security'
import { newStoredKey } from 'svc-security/host'
import type { Test } from 'tap'
import svcMcp, { type SvcMcpOptions } from '../../src/index.ts'

const KEY_SET = { keySetJson: JSON.stringify({ keys: [newStoredKey(0)] }) }

export const AUDIENCE = 'https://notes.example/mcp'

const note = {
  type: 'object',
  required: ['id', 'text'],
  properties: { id: { type: 'string' }, text: { type: 'string' }, owner: { type: 'string' } }
} as const
const text = {
  type: 'object',
  required: ['text'],
  additionalProperties: false,
  properties: { text: { type: 'string', minLength: 1 } }
} as const

/** What a call has reached, in order. */
export const reached: string[] = []

@controller('/api/notes')
export class Notes {
  @Get('/', {
    tool: { description: 'Lists notes.' },
    resource: true,
    query: { type: 'object', properties: { limit: { type: 'integer', default: 2 } } },
    schema: { summary: 'All notes' },
    response: { type: 'array', items: note }
  })
  @IsGranted('ROLE_USER')
  list(@Query('limit') limit: number) {
    return [
      { id: '1', text: 'one' },
      { id: '2', text: 'two' },
      { id: '3', text: 'three' }
    ].slice(0, limit)
  }

  @Get('/latest', { response: note })
  latest() {
    reached.push('latest')
    return { id: '3', text: 'three' }
  }

  @Get('/:id', {
    tool: { name: 'read_note' },
    resource: { name: 'note' },
    schema: { summary: 'One note' },
    response: note
  })
  @IsGranted('ROLE_USER')
  read(@Param('id') id: string, @CurrentUser() user: User) {
    reached.push(`read ${id}`)
    return { id, text: 'one', owner: user.identifier, secret: 'not in the schema' }
  }

  @Post('/', { tool: { name: 'add_note', description: 'Adds a note.' }, body: text, response: { 201: note } })
  @RequireScope('notes:write')
  add(@Body() body: { text: string }) {
    reached.push(`add ${body.text}`)
    return { id: '4', text: body.text }
  }

  @Patch('/:id', {
    tool: { name: 'change_note', description: 'Changes a note.' },
    body: { ...text, properties: { ...text.properties, id: { type: 'string' } } },
    response: note
  })
  @IsGranted('ROLE_EDITOR')
  change(@Param('id') id: string, @Body() body: { text: string; id?: string }) {
    return { id, text: `${body.text} ${body.id ?? ''}` }
  }

  @Delete('/:id', { tool: { name: 'remove_note', description: 'Removes a note.', confirm: true } })
  @IsGranted('ROLE_EDITOR')
  remove() {
    reached.push('remove')
  }
}

export interface NotesApp {
  readonly app: FastifyInstance
  readonly url: URL
  readonly events: AuditRecord[]
  /** A token of the endpoint. */
  tokenOf(identifier: string, scopes?: readonly string[], audience?: string | null): Promise<string>
  /** The reference client, as this caller. */
  clientOf(token: string | null, options?: { modern?: boolean }): Promise<Client>
}

export interface NotesSetting {
  readonly controllers?: Array<new (...args: never[]) => object>
  readonly mcp?: SvcMcpOptions
  readonly areas?: SvcSecurityOptions['areas']
  /** Folder of the application. */
  readonly root?: string
  readonly mode?: 'development' | 'production'
  /** Registered beside svc-mcp. */
  readonly plugins?: ReadonlyArray<readonly [unknown, object]>
  /** Declared after the plugins, before the controllers. */
  readonly routes?: (app: FastifyInstance) => void
}

export const AREAS = {
  mcp: { pattern: '^/mcp$', authenticators: ['jwt'], audience: AUDIENCE },
  api: { pattern: '^/api', authenticators: ['jwt', 'apikey'] }
}

const USERS: Readonly<Record<string, readonly string[]>> = {
  ann: ['ROLE_USER'],
  ed: ['ROLE_USER', 'ROLE_EDITOR'],
  nobody: []
}

export async function builtApp({
  controllers = [Notes],
  mcp = {},
  areas = AREAS,
  plugins = [],
  routes,
  root = process.cwd(),
  mode = 'development'
}: NotesSetting = {}): Promise<{ app: FastifyInstance; events: AuditRecord[] }> {
  const app = Fastify()
  const events: AuditRecord[] = []
  app.decorate('appHost', { name: 'notes', root, mode, checkOnly: false, importModule: async () => ({}) } as never)
  app.decorate('audit', {
    record: (event: AuditRecord) => void events.push(event),
    subscribe: () => () => undefined
  } as never)
  const findByIdentifier = (identifier: string) => {
    const roles = USERS[identifier]
    return roles === undefined ? null : { identifier, roles: [...roles] }
  }
  await app.register(svcSecurity, { areas, jwt: KEY_SET, parts: { users: { findByIdentifier } } } as never)
  await app.register(svcMcp, mcp)
  for (const [plugin, options] of plugins) await app.register(plugin as never, options as never)
  routes?.(app)
  await app.register(svcDecorators, { controllers: controllers as never })
  return { app, events }
}

export async function notesApp(t: Test, setting: NotesSetting = {}): Promise<NotesApp> {
  const { app, events } = await builtApp(setting)
  t.teardown(() => app.close())
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const url = new URL(`http://127.0.0.1:${port}/mcp`)
  return {
    app,
    url,
    events,
    async tokenOf(identifier, scopes = [], audience = AUDIENCE) {
      return (await app.tokens.issue({ identifier }, { scopes, audience })).accessToken
    },
    async clientOf(token, { modern = false } = {}) {
      const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
      const versions = modern ? { versionNegotiation: { mode: 'auto' as const } } : {}
      const client = new Client({ name: 'tests', version: '1.2.3' }, versions as never)
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
      t.teardown(() => client.close())
      return client
    }
  }
}
