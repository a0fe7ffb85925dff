/** Endpoints meet: GET and WEBSOCKET share a route, everything else is a duplicate. */
import t from 'tap'
import { assembleRoutes } from '../../src/compile/assemble-routes.ts'
import { compileClass } from '../../src/compile/compile-class.ts'
import { Anonymous, controller, Get, IsGranted, Post, route, WebSocket } from '../../src/index.ts'

function assembled(...classes: Array<new () => object>): { plans: unknown[]; problems: readonly { code: string }[] } {
  const { plans, problems } = assembleRoutes(classes.flatMap((Class) => compileClass(Class).endpoints))
  return {
    plans: plans.map(({ http, websocket }) => [
      http?.method ?? null,
      (http ?? websocket)?.path,
      websocket === null ? 'HTTP' : 'WS'
    ]),
    problems
  }
}

t.test('one method or two, one class or two: GET and WEBSOCKET share a route', async (t) => {
  @controller('/a')
  class One {
    @route('list', { path: '/one', methods: ['GET', 'WEBSOCKET', 'POST'] }) one(): void {}

    @Get('/two') @IsGranted('A') read(): void {}

    @WebSocket('/two') @IsGranted('A') listen(): void {}

    @Get('/three') three(): void {}

    @WebSocket('/alone') alone(): void {}
  }

  @controller('/a')
  class Other {
    @WebSocket('/three') three(): void {}
  }
  t.strictSame(assembled(One, Other), {
    plans: [
      ['GET', '/a/one', 'WS'],
      ['POST', '/a/one', 'HTTP'],
      ['GET', '/a/two', 'WS'],
      ['GET', '/a/three', 'WS'],
      [null, '/a/alone', 'WS']
    ],
    problems: []
  })
})

t.test('what they share must be the same', async (t) => {
  @controller('/a')
  class Hello {
    @Get('/guard') @IsGranted('A') one(): void {}

    @WebSocket('/guard') two(): void {}

    @Get('/open') @Anonymous() three(): void {}

    @WebSocket('/open') four(): void {}

    @Get('/names/:id') five(): void {}

    @WebSocket('/names/:key') six(): void {}

    @Get('/schema') seven(): void {}

    @WebSocket('/schema', { schema: { querystring: { type: 'object' } } }) eight(): void {}
  }
  t.match(assembled(Hello).problems, [
    {
      code: 'SVC_ROUTE_TRANSPORT',
      message: /GET and WEBSOCKET on \/a\/guard \(Hello\.one, Hello\.two\)/,
      got: 'A on GET, nothing on WEBSOCKET',
      at: / and /
    },
    { code: 'SVC_ROUTE_TRANSPORT', got: '@Anonymous on GET, nothing on WEBSOCKET' },
    { code: 'SVC_ROUTE_TRANSPORT', message: /\/a\/names\/:key uses other parameter names/ },
    { code: 'SVC_ROUTE_TRANSPORT', message: /schema\.querystring differs/ }
  ])
})

t.test('the order of clauses is no difference', async (t) => {
  @controller()
  class Hello {
    @Get('/x') @IsGranted('A') @IsGranted('B') one(): void {}

    @WebSocket('/x') @IsGranted('B') @IsGranted('A') two(): void {}
  }
  t.strictSame(assembled(Hello).problems, [])
})

t.test('duplicates name both places, over classes and parameter names', async (t) => {
  @controller('/a')
  class One {
    @Get('/:id') read(): void {}

    @WebSocket('/ws') first(): void {}

    @WebSocket('/ws') second(): void {}
  }

  @controller('/a')
  class Two {
    @Get('/:key') read(): void {}

    @Post('/:key') write(): void {}
  }
  const { problems } = assembled(One, Two)
  t.match(problems, [
    { code: 'SVC_ROUTE_DUPLICATE', message: 'WEBSOCKET /a/ws is declared twice, by One.first and by One.second' },
    {
      code: 'SVC_ROUTE_DUPLICATE',
      message: 'GET /a/:key is declared twice, by One.read and by Two.read',
      at: /assemble-routes\.test\.[jt]s:\d+ and .*assemble-routes\.test\.[jt]s:\d+/
    }
  ])
  t.equal(problems.length, 2)
})

t.test('constraints tell routes apart', async (t) => {
  @controller('/a')
  class Hello {
    @Get('/x', { constraints: { host: 'a.example' } }) a(): void {}

    @Get('/x', { constraints: { host: 'b.example' } }) b(): void {}
  }
  t.strictSame(assembled(Hello).problems, [])
})

t.test('names are unique; the methods of one declaration share theirs', async (t) => {
  @controller('/a')
  class Hello {
    @route('same', { path: '/a', methods: ['GET', 'POST'] }) a(): void {}

    @route('same', { path: '/b', method: 'GET' }) b(): void {}
  }
  t.match(assembled(Hello).problems, [
    { code: 'SVC_ROUTE_NAME', message: 'two routes are named "same", Hello.a and Hello.b' }
  ])
})

t.test('an explicit HEAD comes before the GET that would add one', async (t) => {
  @controller('/a')
  class Hello {
    @Get('/x') get(): void {}

    @route('head', { path: '/x', method: 'HEAD' }) head(): void {}
  }
  t.strictSame(assembled(Hello).plans, [
    ['HEAD', '/a/x', 'HTTP'],
    ['GET', '/a/x', 'HTTP']
  ])
})
