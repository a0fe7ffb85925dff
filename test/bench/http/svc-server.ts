/** The measured server: the same routes as controllers, behind the firewall and the jury. */
import svcAudit from 'svc-audit'
import svcDecorators, { Body, controller, Get, IsGranted, Message, Post, WebSocket } from 'svc-decorators'
import { application, createServer, defineConfig } from 'svc-host'
import { createAccessToken } from 'svc-kernel'
import svcSecurity, { registerAuthenticatorFactory } from 'svc-security'
import { serveMeasured } from '../measured/measured-server.ts'
import { articleSchema } from './article-schema.ts'

const member = createAccessToken({ type: 'session', user: { identifier: 'alice', roles: ['ROLE_MEMBER'] } })
registerAuthenticatorFactory('known', () => ({
  supports: () => true,
  createToken: () => member,
  authenticate: () => member
}))

@controller('/open')
class OpenController {
  @Get('/hello')
  hello(): unknown {
    return { hello: 'world', pid: process.pid }
  }
}

@controller('/api')
class ApiController {
  @Get('/hello')
  hello(): unknown {
    return { hello: 'world', pid: process.pid }
  }

  @Post('/articles', { schema: articleSchema })
  create(@Body() body: unknown): unknown {
    return body
  }

  @WebSocket('/echo')
  echo(@Message() text: string): unknown {
    return { echo: text }
  }
}

@controller('/members')
class MembersController {
  @Get('/hello')
  @IsGranted('ROLE_MEMBER')
  hello(): unknown {
    return { hello: 'world', pid: process.pid }
  }

  @Get('/denied')
  @IsGranted('ROLE_OWNER')
  denied(): unknown {
    return { hello: 'world', pid: process.pid }
  }
}

const config = defineConfig({
  name: 'bench',
  mode: 'production',
  server: { logger: false },
  modules: [
    svcAudit,
    [
      svcSecurity,
      {
        areas: {
          api: { pattern: '^/api', authenticators: ['anonymous'] },
          members: { pattern: '^/members', authenticators: ['known'] }
        }
      }
    ],
    [svcDecorators, { controllers: [OpenController, ApiController, MembersController] }]
  ]
})

export const fastify = await createServer(application(config, import.meta.url))
await serveMeasured(fastify)
