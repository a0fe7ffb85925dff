/** The types that callers of routes meet. */
import { type AnswerOf, type CallOptions, type Client, createClient, type LiveClient } from 'svc-client'
import { expect, test } from 'tstyche'

interface Routes {
  'GET /notes': { input: { query?: { page?: number } }; answer: string[]; errors: { SHOP_FULL: 409 } }
  'POST /notes': { input: { body: { title: string } }; answer: { id: string }; errors: { SHOP_FULL: 409 } }
  'WEBSOCKET /echo': { input: object; message: string; answer: { echo: string }; errors: object }
}

const api = createClient<Routes>({ baseUrl: 'https://shop.example' })
declare const live: LiveClient<Routes>

test('a route takes its own options, and answers its own type', () => {
  expect(api.call('GET /notes')).type.toBe<Promise<string[]>>()
  expect(live.call('POST /notes', { body: { title: 'x' } })).type.toBe<Promise<{ id: string }>>()
  expect(api.call).type.not.toBeCallableWith('POST /notes')
  expect(api.call).type.not.toBeCallableWith('POST /notes', { body: { title: 1 } })
})

test('a route that the map does not have is refused, with options and without', () => {
  for (const call of [api.call, live.call, live.attempt]) {
    expect(call).type.not.toBeCallableWith('GET /unknown')
    expect(call).type.not.toBeCallableWith('GET /unknown', { query: { page: 1 } })
  }
  expect<Client<{ 'GET /one': Routes['GET /notes'] }>['call']>().type.not.toBeCallableWith('GET /unknown')
})

test('only a WEBSOCKET route opens a socket', () => {
  expect(api.subscribe).type.toBeCallableWith('WEBSOCKET /echo')
  expect(api.subscribe).type.not.toBeCallableWith('GET /notes')
  expect(api.subscribe).type.not.toBeCallableWith('WEBSOCKET /unknown')
})

test('routes that are not named yet: one of two, and that of a caller', () => {
  const either = 'GET /notes' as 'GET /notes' | 'WEBSOCKET /echo'
  expect(api.call(either)).type.toBe<Promise<string[] | { echo: string }>>()
  const query = <Name extends keyof Routes>(route: Name, options: CallOptions<Routes[Name]>) => ({
    queryKey: [route, options],
    queryFn: (): Promise<AnswerOf<Routes[Name]>> => api.call(route, ...([options] as never))
  })
  expect(query('GET /notes', {}).queryFn()).type.toBe<Promise<string[]>>()
})
