/** Schemas of routes are judged as Ajv judges them, though most are never shown to it. */
import { application, createServer } from 'svc-host'
import t from 'tap'
import { SeededRandom } from '../support/seeded-random.ts'

interface LiveAjv {
  validateSchema(schema: unknown): boolean
}

t.test('any value for any keyword of draft 07', async (t) => {
  const seen: LiveAjv[] = []
  const ajv = { plugins: [(instance: unknown) => void seen.push(instance as LiveAjv)] }
  const fastify = await createServer(
    application({ mode: 'test', modules: [], server: { ajv } } as never, import.meta.url)
  )
  t.teardown(() => fastify.close())
  fastify.post('/', { schema: { body: { type: 'string' } } }, async () => 'ok')
  await fastify.ready()
  const [ours] = seen as [LiveAjv]
  const theirs = Object.getPrototypeOf(ours) as LiveAjv
  const random = new SeededRandom(7)
  let valid = 0
  for (let round = 0; round < 40_000; round += 1) {
    const schema = schemaOf(random)
    const expected = theirs.validateSchema.call(ours, schema)
    if (ours.validateSchema(schema) !== expected) t.fail(`Ajv says ${expected}`, { schema })
    valid += Number(expected)
  }
  t.ok(valid > 4000 && valid < 36_000, 'both kinds are among them', { valid })
})

const TEXTS = [
  '',
  'a',
  'string',
  'null',
  '^a$',
  '[',
  '\\Z',
  '#',
  '#/a',
  '/a b',
  'x:y',
  '//',
  'http://a/b#c',
  '%',
  'http://json-schema.org/draft-07/schema#'
] as const
const KEYWORDS = `$comment $id $ref title description format contentMediaType contentEncoding pattern default const
  examples enum type required readOnly uniqueItems multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength
  minLength maxItems minItems maxProperties minProperties additionalItems additionalProperties items contains propertyNames
  definitions properties patternProperties dependencies if then else allOf anyOf oneOf not other`.split(
  /\s+/
) as unknown as readonly [string, ...string[]]

/** One keyword or two, with any value: what is wrong is not hidden by another. */
function schemaOf(random: SeededRandom, depth = 0): Record<string, unknown> {
  const keywords = Array.from({ length: 1 + random.below(2) }, () => random.pick(KEYWORDS))
  return Object.fromEntries(keywords.map((keyword) => [keyword, anyValue(random, depth)]))
}

function anyValue(random: SeededRandom, depth: number): unknown {
  const many = <T>(make: () => T): T[] => Array.from({ length: random.below(3) }, make)
  const nested = depth < 2 ? random.below(9) : random.below(6)
  if (nested === 0) return random.pick([true, false, null, undefined])
  if (nested === 1) return random.pick([0, 1, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
  if (nested < 4) return random.pick(TEXTS)
  if (nested < 6) return many(() => random.pick(TEXTS))
  if (nested === 6) return many(() => anyValue(random, depth + 1))
  if (nested === 7) return schemaOf(random, depth + 1)
  return Object.fromEntries(many(() => [random.pick(TEXTS), anyValue(random, depth + 1)]))
}
