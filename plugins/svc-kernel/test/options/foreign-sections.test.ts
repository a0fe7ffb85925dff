/** Options of one plugin that were written into another: the answer names the plugin that takes them. */
import t from 'tap'
import { checkOptions } from '../../src/options/read-options.ts'

const schema = {
  $id: 'svc-x/options',
  type: 'object',
  additionalProperties: false,
  properties: { size: { type: 'integer' }, realtime: { type: 'object', additionalProperties: false, properties: {} } }
} as const

const rows: ReadonlyArray<[options: object, at: string, fix: string]> = [
  [{ webhooks: { retries: 3 } }, 'svc-x.webhooks', 'register svc-webhooks with them, and remove webhooks here'],
  [{ audit: {} }, 'svc-x.audit', 'register svc-audit with them, and remove audit here'],
  [{ sise: 1 }, 'svc-x.sise', 'rename sise to size'],
  [{ weather: {} }, 'svc-x.weather', 'remove weather'],
  [{ realtime: { audit: {} } }, 'svc-x.realtime.audit', 'remove audit']
]

for (const [options, at, fix] of rows) {
  t.test(`C28: ${JSON.stringify(options)}`, async (t) => {
    const { problems } = checkOptions('svc-x', schema, options)
    t.match(problems, [{ at, fix }])
    t.equal(problems.length, 1)
  })
}

t.test('C28: a section that a plugin has itself is its own', async (t) => {
  t.strictSame(checkOptions('svc-x', schema, { realtime: {} }).problems, [])
})
