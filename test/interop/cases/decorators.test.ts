/** Area `decorators`: how guards add up, who overrides whom, and what is injected. */
import {
  Anonymous,
  Body,
  type ControllerClass,
  CurrentUser,
  controller,
  Get,
  IsGranted,
  Param,
  Post,
  WebSocket
} from 'svc-decorators'
import { ANONYMOUS, BootError, type User } from 'svc-kernel'
import { ABSTAIN, type AccessVoter, DENY, GRANT } from 'svc-security'
import type { Test } from 'tap'
import { rawExchange, rawRequest } from '../../support/raw-http.ts'
import { juryApp } from './jury-app.ts'
import { securityCase } from './security-case.ts'

/** `A` is granted and `B` is vetoed, for everybody. */
const voters: readonly AccessVoter[] = [
  { supports: (attribute) => attribute === 'A', vote: () => GRANT },
  { supports: (attribute) => attribute === 'B', vote: () => DENY }
]

/** What a boot with these controllers says is wrong. */
async function bootProblems(t: Test, ...controllers: ControllerClass[]) {
  const error: unknown = await juryApp(t, voters, { controllers }).catch((reason: unknown) => reason)
  return error instanceof BootError ? error.problems : [error]
}

securityCase('DEC-01', async (t) => {
  @controller('/or')
  class Or {
    @Get()
    @IsGranted(['A', 'B'])
    either(): string {
      return 'granted'
    }

    @Get('/turned')
    @IsGranted(['B', 'A'])
    turned(): string {
      return 'granted'
    }
  }
  const { ask } = await juryApp(t, voters, { controllers: [Or] })
  t.equal((await ask('alice', '/or')).status, 200)
  t.equal((await ask('alice', '/or/turned')).status, 200, 'in either order')
})

securityCase('DEC-02', async (t) => {
  @controller('/and')
  @IsGranted('A')
  class And {
    @Get()
    @IsGranted('A')
    @IsGranted('B')
    both(): string {
      return 'granted'
    }

    @Get('/class')
    @IsGranted('B')
    withClass(): string {
      return 'granted'
    }

    @Get('/one')
    one(): string {
      return 'granted'
    }
  }
  const { ask } = await juryApp(t, voters, { controllers: [And] })
  t.equal((await ask('alice', '/and')).status, 403)
  t.equal((await ask('alice', '/and/class')).status, 403, 'class and method add up too')
  t.equal((await ask('alice', '/and/one')).status, 200)
})

securityCase('DEC-03', async (t) => {
  @controller('/empty')
  class Empty {
    @Get()
    @IsGranted([])
    nobody(): string {
      return 'never'
    }
  }
  t.match(await bootProblems(t, Empty), [
    {
      code: 'SVC_GUARD_EMPTY',
      message: /Empty\.nobody .* an empty OR refuses everyone/,
      at: /decorators\.test\.\w+:\d+/
    }
  ])
})

securityCase('DEC-06', async (t) => {
  const injected: User[] = []
  @controller('/mixed')
  @IsGranted('B')
  class Mixed {
    @Get('/open')
    @Anonymous()
    open(@CurrentUser() user: User): string {
      injected.push(user)
      return 'open'
    }

    @Get('/closed')
    closed(): string {
      return 'closed'
    }
  }
  const areas = { site: { pattern: '^/', authenticators: ['bearer'] } }
  const { ask } = await juryApp(t, voters, { controllers: [Mixed], security: { areas } })
  t.equal((await ask('', '/mixed/open')).status, 200)
  t.equal((await ask('!', '/mixed/open')).status, 200, 'not even a bad credential is looked at')
  t.equal((await ask('alice', '/mixed/open')).status, 200)
  t.ok(injected.length === 3 && injected.every((user) => user === ANONYMOUS))
  t.equal((await ask('', '/mixed/closed')).status, 401)
  t.equal((await ask('alice', '/mixed/closed')).status, 403)
})

securityCase('DEC-08', async (t) => {
  @controller('/public')
  @Anonymous()
  class Public {
    @Get()
    open(): string {
      return 'open'
    }

    @Get('/guarded')
    @IsGranted('ROLE_USER')
    guarded(): string {
      return 'guarded'
    }
  }
  const { ask } = await juryApp(t, voters, { controllers: [Public] })
  t.equal((await ask('', '/public')).status, 200)
  t.equal((await ask('', '/public/guarded')).status, 403)
  t.equal((await ask('alice/ROLE_USER', '/public/guarded')).status, 200)
})

securityCase(
  'DEC-11',
  async (t) => {
    class Base {
      @Get('/method')
      @IsGranted('ROLE_USER')
      method(): string {
        return 'base'
      }
    }
    @IsGranted('ROLE_USER')
    class GuardedBase {
      @Get('/class')
      method(): string {
        return 'base'
      }
    }
    @controller('/silent')
    class Silent extends Base {
      override method(): string {
        return 'override'
      }
    }
    @controller('/redeclared')
    class Redeclared extends Base {
      @Get('/again')
      override method(): string {
        return 'override'
      }
    }
    @controller('/whole')
    class Whole extends GuardedBase {
      override method(): string {
        return 'override'
      }
    }
    @controller('/opened')
    class Opened extends Base {
      @Anonymous()
      override method(): string {
        return 'override'
      }
    }
    const { ask } = await juryApp(t, voters, { controllers: [Silent, Redeclared, Whole] })
    for (const target of ['/silent/method', '/redeclared/again', '/whole/class']) {
      t.equal((await ask('alice', target)).status, 403, target)
      const answer = await ask('alice/ROLE_USER', target)
      t.strictSame([answer.status, answer.body], [200, 'override'], target)
    }
    t.match(await bootProblems(t, Opened), [{ code: 'SVC_GUARD_CONFLICT', message: /Opened\.method/ }])
  },
  'the guard is inherited; to open it again is a boot error'
)

securityCase('DEC-12', async (t) => {
  @controller('/orgs/:org')
  class Orgs {
    @Get('/posts/:id')
    @IsGranted('A', { subject: 'post' })
    read(): string {
      return 'never'
    }
  }
  t.match(await bootProblems(t, Orgs), [
    { code: 'SVC_GUARD_SUBJECT', message: /Orgs\.read .* has no parameter "post"/, expected: 'org | id' }
  ])
})

securityCase('DEC-13', async (t) => {
  const subjects: unknown[] = []
  const voter: AccessVoter = {
    supports: (attribute) => attribute === 'own',
    vote: (_token, _attribute, subject) => {
      subjects.push(subject)
      return typeof subject === 'string' ? GRANT : ABSTAIN
    }
  }
  @controller('/orgs/:org')
  class Orgs {
    @Get('/posts/:id')
    @WebSocket('/posts/:id')
    @IsGranted('own', { subject: 'id' })
    read(@Param('id') id: string): unknown {
      return { id }
    }
  }
  const { ask } = await juryApp(t, [voter], { controllers: [Orgs] })
  for (const [segment, decoded] of [
    ['7', '7'],
    ['a%2fb', 'a/b'],
    ['a%252fb', 'a%2fb'],
    ['caf%C3%A9', 'café'],
    ['__proto__', '__proto__']
  ]) {
    subjects.length = 0
    const { body } = await ask('alice', `/orgs/o/posts/${segment}`)
    t.same(JSON.parse(body), { id: decoded })
    t.strictSame(subjects, [decoded], 'what the voter gets is what the method gets')
  }
})

securityCase('DEC-16', async (t) => {
  const injected: User[] = []
  @controller('/who')
  class Who {
    @Get()
    get(@CurrentUser() user: User): User {
      injected.push(user)
      return user
    }

    @Post()
    post(@Body() _body: unknown, @CurrentUser() user: User): User {
      injected.push(user)
      return user
    }
  }
  for (const areas of [{}, { site: { pattern: '^/', authenticators: ['anonymous'] } }]) {
    const { ask, port } = await juryApp(t, [], { controllers: [Who], security: { areas } })
    t.same(JSON.parse((await ask('', '/who')).body), { identifier: 'anonymous', roles: [] })
    const post = rawRequest('POST', '/who', { 'content-type': 'application/json' }, '{}')
    t.equal((await rawExchange(port, post)).status, 200)
  }
  t.equal(injected.length, 4)
  t.ok(injected.every((user) => user === ANONYMOUS))
  t.ok(Object.isFrozen(ANONYMOUS) && Object.isFrozen(ANONYMOUS.roles))
})

securityCase('DEC-18', async (t) => {
  @controller('/me')
  class Me {
    @Get()
    me(@CurrentUser() user: User): User {
      return user
    }
  }
  const record = { identifier: 'alice', roles: ['ROLE_USER'], password: 'HASH', secret: 'HASH', toJSON: () => 'HASH' }
  const chatty = {
    supports: () => true,
    createToken: () => 'CREDENTIAL',
    authenticate: (credential: string) => ({ type: 'session', user: record, credential, jti: 'JTI' })
  }
  const { ask } = await juryApp(t, [], {
    controllers: [Me],
    security: { areas: { site: { pattern: '^/', authenticators: ['chatty'] } } },
    parts: { authenticators: { chatty } }
  })
  t.equal((await ask('', '/me')).body, '{"identifier":"alice","roles":["ROLE_USER"]}')
})
