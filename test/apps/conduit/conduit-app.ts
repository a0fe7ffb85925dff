/**
 * An application that implements a published description of an API, `test/vectors/conduit-api.json`: articles, comments,
 * people who follow each other. It is built of what the guides show, and of nothing else.
 */
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import svcDecorators from 'svc-decorators'
import { application, createServer, defineConfig, type ModuleEntry } from 'svc-host'
import svcSecurity, { type SvcSecurityOptions } from 'svc-security'
import { newStoredKey } from 'svc-security/host'
import { Accounts } from './accounts-controller.ts'
import { Articles } from './articles-controller.ts'
import { Comments } from './comments-controller.ts'
import { conventions } from './conventions.ts'
import { Account, Article, Comment, Favorite, Follow, Sequence, Tag } from './entities.ts'

export const entities = [Account, Article, Comment, Favorite, Follow, Sequence, Tag]

const security: SvcSecurityOptions = {
  areas: {
    own: { pattern: '^/api/(?:user|articles/feed)$', authenticators: ['jwt'] },
    open: { pattern: '^/api/', authenticators: ['jwt', 'anonymous'] }
  },
  users: { entity: { name: 'Account', identifier: 'email', password: 'passwordHash' } },
  passwords: { memoryKib: 7168, passes: 1 },
  jwt: { schemes: ['Token'], keySetJson: JSON.stringify({ keys: [newStoredKey(0)] }) }
}

/** A scope of its own: other routes of the server keep their error body. */
async function api(fastify: FastifyInstance): Promise<void> {
  conventions(fastify)
  await fastify.register(svcDecorators, { controllers: [Accounts, Articles, Comments] })
}

/** @param database what brings svc-orm and its connector @param logger default: none */
export function conduitConfig(database: readonly ModuleEntry[], logger: FastifyServerOptions['logger'] = false) {
  return defineConfig({
    name: 'conduit',
    mode: 'test',
    server: { logger },
    modules: [...database, [svcSecurity, security], api]
  })
}

/** As `conduitConfig`, made. */
export function conduitApp(...given: Parameters<typeof conduitConfig>): Promise<FastifyInstance> {
  return createServer(application(conduitConfig(...given), import.meta.url))
}
