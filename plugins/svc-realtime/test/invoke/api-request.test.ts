/** The parameters of `api.request`, good and bad. */
import t from 'tap'
import { readCall } from '../../src/invoke/call.ts'
import { RpcFailure } from '../../src/json-rpc.ts'

const key = 'k'
const deep = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`) as unknown

const good: ReadonlyArray<readonly [params: Record<string, unknown>, call: object]> = [
  [{ path: '/a' }, { method: 'GET', path: '/a', body: null, idempotencyKey: null }],
  [{ path: '/a?b=%20', method: 'GET' }, { path: '/a?b=%20' }],
  [{ path: '/a', idempotencyKey: key }, { idempotencyKey: key }],
  [{ path: '/a', method: 'POST', body: null, idempotencyKey: key }, { body: 'null' }],
  [{ path: '/a', method: 'POST', body: { b: [1] }, idempotencyKey: key }, { body: '{"b":[1]}' }],
  [
    { path: '/a', method: 'DELETE', idempotencyKey: key },
    { method: 'DELETE', body: null }
  ]
]

for (const [params, call] of good) t.match(readCall(params), call, JSON.stringify(params))

const bad: ReadonlyArray<readonly [params: Record<string, unknown>, message: RegExp]> = [
  [{}, /^path/],
  [{ path: 1 }, /^path/],
  [{ path: 'a' }, /^path/],
  [{ path: 'http://host/a' }, /^path/],
  [{ path: '/a b' }, /^path/],
  [{ path: '/a\r\nx: y' }, /^path/],
  [{ path: '/é' }, /^path/],
  [{ path: `/${'a'.repeat(2048)}` }, /^path/],
  [{ path: '/a', method: 'get' }, /^method/],
  [{ path: '/a', method: 'HEAD' }, /^method/],
  [{ path: '/a', method: 'CONNECT' }, /^method/],
  [{ path: '/a', method: ['GET'] }, /^method/],
  [{ path: '/a', method: 'POST' }, /^idempotencyKey is required/],
  [{ path: '/a', method: 'POST', idempotencyKey: '' }, /^idempotencyKey/],
  [{ path: '/a', method: 'POST', idempotencyKey: 7 }, /^idempotencyKey/],
  [{ path: '/a', method: 'POST', idempotencyKey: 'a b' }, /^idempotencyKey/],
  [{ path: '/a', method: 'POST', idempotencyKey: 'k'.repeat(256) }, /^idempotencyKey/],
  [{ path: '/a', body: {} }, /^GET takes no body/],
  [{ path: '/a', headers: {} }, /^unknown parameter/],
  [JSON.parse('{"path":"/a","__proto__":1}') as Record<string, unknown>, /^unknown parameter/],
  [{ path: '/a', method: 'POST', idempotencyKey: key, body: deep }, /nested too deeply/]
]

for (const [params, message] of bad) {
  const name = String(message)
  const failure = readCall(params)
  t.ok(failure instanceof RpcFailure, name)
  t.match(failure, { code: -32602, message }, name)
}
