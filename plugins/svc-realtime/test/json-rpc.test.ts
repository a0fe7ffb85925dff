/** One text frame as a JSON-RPC 2.0 request: what is read, and what each fault is answered with. */
import fc from 'fast-check'
import t from 'tap'
import { readFrame } from '../src/json-rpc.ts'

const rows: ReadonlyArray<readonly [text: string, expected: object]> = [
  ['{"jsonrpc":"2.0","id":1,"method":"a"}', { id: 1, method: 'a', params: {} }],
  ['{"jsonrpc":"2.0","id":"x","method":"a","params":{"b":1}}', { id: 'x', params: { b: 1 } }],
  ['{"jsonrpc":"2.0","id":null,"method":"a"}', { id: null, method: 'a' }],
  ['{"jsonrpc":"2.0","method":"a"}', { id: undefined, method: 'a' }],
  ['', { id: null, failure: { code: -32700 } }],
  ['{', { id: null, failure: { code: -32700 } }],
  ['hello', { id: null, failure: { code: -32700 } }],
  ['[]', { id: null, failure: { code: -32600 } }],
  ['[{"jsonrpc":"2.0","id":1,"method":"a"}]', { id: null, failure: { code: -32600, message: /batches/ } }],
  ['1', { id: null, failure: { code: -32600 } }],
  ['null', { id: null, failure: { code: -32600 } }],
  ['{"id":7,"method":"a"}', { id: 7, failure: { code: -32600 } }],
  ['{"jsonrpc":2,"id":7,"method":"a"}', { id: 7, failure: { code: -32600 } }],
  ['{"jsonrpc":"2.0","id":7}', { id: 7, failure: { code: -32600 } }],
  ['{"jsonrpc":"2.0","id":7,"method":1}', { id: 7, failure: { code: -32600 } }],
  ['{"jsonrpc":"2.0","id":{},"method":"a"}', { id: null, failure: { code: -32600 } }],
  ['{"jsonrpc":"2.0","id":1e400,"method":"a"}', { id: null, failure: { code: -32600 } }],
  [`{"jsonrpc":"2.0","id":"${'x'.repeat(256)}","method":"a"}`, { id: null, failure: { code: -32600 } }],
  ['{"jsonrpc":"2.0","id":7,"method":"a","params":[1]}', { id: 7, failure: { code: -32602 } }],
  ['{"jsonrpc":"2.0","id":7,"method":"a","params":null}', { id: 7, failure: { code: -32602 } }],
  ['['.repeat(100_000), { id: null, failure: { code: -32700 } }]
]

for (const [text, expected] of rows) t.match(readFrame(text), expected, text.slice(0, 60))

t.test('never throws, whatever is sent', async () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const frame = readFrame(text)
      return 'failure' in frame || typeof frame.method === 'string'
    })
  )
})
