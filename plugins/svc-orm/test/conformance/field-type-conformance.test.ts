/** The suite of field types: each built-in type passes it, types of an application's own pass it, and types with a fault do not. */
import t from 'tap'
import { type FieldTypeSubject, fieldTypeConformance } from '../../src/conformance/field-type-conformance.ts'
import { readBytes } from '../../src/fields/bytes.ts'
import { defineFieldType, type OwnFieldType } from '../../src/fields/define-field-type.ts'
import { fieldTypes } from '../../src/fields/field-types.ts'

const NUL = 'a\0b'
const [FIRST, SECOND] = ['01234567-89ab-7def-8123-456789abcdef', 'f1234567-89ab-7def-8123-456789abcdef']

/** Every built-in type but `id`, whose form is the database's. */
const BUILT_IN: readonly FieldTypeSubject[] = [
  { field: { type: 'string' }, values: [...same('', 'Z', 'a')], refused: [5, NUL, ['a']] },
  { field: { type: 'text', maxLength: 3 }, values: [...same('abc', 'b')], refused: [NUL, true] },
  { field: { type: 'integer' }, values: [[-0, 0], ...same(1, 2 ** 53 - 1)], refused: ['1', 1.5, 2 ** 53] },
  { field: { type: 'float' }, values: same(-1.5, 0, 1e300), refused: ['1', Number.NaN] },
  {
    field: { type: 'bigint' },
    values: [
      ['-9223372036854775808', '-9223372036854775808'],
      [7n, '7']
    ],
    refused: ['1.5', true]
  },
  {
    field: { type: 'decimal', scale: 2 },
    values: [
      ['-1.5', '-1.50'],
      ['10', '10.00']
    ],
    refused: ['1.005', 'x']
  },
  {
    field: { type: 'money', scale: 2 },
    values: [
      ['1 EUR', '1.00 EUR'],
      ['1.5 USD', '1.50 USD']
    ],
    refused: [1, '1 eur']
  },
  { field: { type: 'boolean' }, values: same(true, false), refused: ['true', 1] },
  {
    field: { type: 'date' },
    values: ['0001-01-01T00:00:00Z', '2026-11-27T15:00:00.123Z'].map((text) => [text, new Date(text)]),
    refused: ['2026-11-27', 5, '2026-02-30T10:00:00Z']
  },
  { field: { type: 'day' }, values: same('2024-02-29', '2026-11-27'), refused: ['2026-02-30', 5] },
  {
    field: { type: 'uuid' },
    values: [
      [FIRST.toUpperCase(), FIRST],
      [SECOND, SECOND]
    ],
    refused: ['x', 5]
  },
  {
    field: { type: 'email' },
    values: [
      ['a@B.org', 'a@b.org'],
      ['b@b.org', 'b@b.org']
    ],
    refused: ['a', 5]
  },
  {
    field: { type: 'url' },
    values: [
      ['http://A.org', 'http://a.org/'],
      ['http://b.org/', 'http://b.org/']
    ],
    refused: ['a.org', 5]
  },
  { field: { type: 'interval' }, values: same('P1D', 'PT36H'), refused: ['1D', 5] },
  { field: { type: 'enum', values: ['a', 'b'] }, values: same('a', 'b'), refused: ['c', 5] },
  { field: { type: 'json' }, values: [...same({ a: [1, 'x'] }, [1], 'x', 5)], refused: [NUL, [() => 1]] },
  {
    field: { type: 'bytes' },
    values: [
      ['AQI=', readBytes('AQI=')],
      [new Uint8Array([3]), readBytes('Aw==')]
    ],
    refused: ['A', 5]
  }
]

function same(...values: readonly unknown[]): [unknown, unknown][] {
  return values.map((value) => [value, value])
}

/** Rows have `#rrggbb`, the column a number. */
const COLOUR: OwnFieldType<string> = {
  name: 'colour',
  storage: 'integer',
  read: (given) =>
    typeof given === 'string' && /^#[\da-f]{6}$/i.test(given) ? Number.parseInt(given.slice(1), 16) : undefined,
  fromStored: (stored: number) => `#${stored.toString(16).padStart(6, '0')}`,
  expected: 'a colour such as #ff8800',
  schema: { type: 'string', pattern: '^#[0-9A-Fa-f]{6}$' }
}

const SUBJECT = {
  values: [
    ['#0000FF', '#0000ff'],
    ['#ff8800', '#ff8800']
  ],
  refused: ['red', 0xff8800, '#ff88000']
} as const

class Point {
  readonly x: number
  readonly y: number
  constructor(x: number, y: number) {
    this.x = x
    this.y = y
  }
}

const point = defineFieldType<Point, Point | { readonly x: number; readonly y: number }>({
  name: 'point',
  storage: 'json',
  read: (given) => {
    const { x, y } = (given ?? {}) as Partial<Point>
    return Number.isFinite(x) && Number.isFinite(y) ? { x, y } : undefined
  },
  fromStored: ({ x, y }: Point) => new Point(x, y),
  expected: 'a point with x and y',
  schema: {
    type: 'object',
    properties: { x: { type: 'number' }, y: { type: 'number' } },
    required: ['x', 'y']
  }
})

t.test('each built-in type is among them', async (t) => {
  const named = BUILT_IN.map(({ field }) => field.type)
  t.strictSame(
    fieldTypes.map(({ name }) => name).filter((name) => !named.includes(name as 'string')),
    ['id']
  )
})

for (const subject of BUILT_IN) await fieldTypeConformance(t, subject)
await fieldTypeConformance(t, { field: { type: defineFieldType(COLOUR) }, ...SUBJECT })
await fieldTypeConformance(t, {
  field: { type: point },
  values: [
    [{ x: 1, y: 2 }, new Point(1, 2)],
    [new Point(0, -1.5), new Point(0, -1.5)]
  ],
  refused: [{ x: 1 }, { x: '1', y: 2 }, 'x', 5]
})

/** Each with what finds it. */
const FAULTS: Readonly<Record<string, readonly [fault: Partial<OwnFieldType<string>>, found: string]>> = {
  'throws on what it does not know': [
    { read: (given) => Number.parseInt((given as string).slice(1), 16) },
    'reading never throws, and what was read is read as itself'
  ],
  'reads more than its schema says': [
    { schema: { type: 'string', pattern: '^#[0-9a-f]{6}$' } },
    'the schema accepts what is read, and nothing else'
  ],
  'reads less than its schema says': [
    { schema: { type: 'string' } },
    'the schema accepts what is read, and nothing else'
  ],
  'shows other rows than it reads': [
    { fromStored: (stored: number) => stored.toString(16) },
    'reading never throws, and what was read is read as itself'
  ],
  'keeps what its column has not': [
    { storage: 'boolean' },
    'reading never throws, and what was read is read as itself'
  ],
  'has another order': [
    {
      read: (given) => (COLOUR.read(given) === undefined ? undefined : 0xffffff - (COLOUR.read(given) as number)),
      fromStored: (stored: number) => COLOUR.fromStored?.((0xffffff - stored) as never) ?? ''
    },
    'rows have the order of the values, where they have one'
  ]
}

for (const [name, [fault, found]] of Object.entries(FAULTS)) {
  t.test(`a type that ${name} does not pass`, async (t) => {
    const failed: string[] = []
    const runner = {
      test: async (title: string, body: () => Promise<void>) => {
        await body().catch(() => failed.push(title))
      }
    }
    await fieldTypeConformance(runner, { field: { type: defineFieldType({ ...COLOUR, ...fault }) }, ...SUBJECT })
    t.ok(failed.includes(`colour: ${found}`), failed.join('; '))
  })
}
