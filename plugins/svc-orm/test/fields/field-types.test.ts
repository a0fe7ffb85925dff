/** Field types by hand tables, and what every one of them keeps: its reader settles, never throws, and agrees with its schema. */
import { Ajv } from 'ajv'
import t from 'tap'
import type { FieldSettings } from '../../src/fields/field-type.ts'
import { fieldTypes } from '../../src/fields/field-types.ts'

const REFUSED = undefined

/** Text that is given, and as it is read. */
const TABLE: Record<string, readonly (readonly [given: unknown, read: unknown])[]> = {
  // With decimals it has a table of its own.
  money: [
    ['12 EUR', '12 EUR'],
    ['12.5 EUR', REFUSED]
  ],
  email: [
    ['ann@example.org', 'ann@example.org'],
    ["Ann.O'Neil+x@Mail.Example.ORG", "Ann.O'Neil+x@mail.example.org"],
    ['a@b', 'a@b'],
    ['@example.org', REFUSED],
    ['ann@', REFUSED],
    ['ann@-x.org', REFUSED],
    ['ann@x..org', REFUSED],
    ['ann lee@example.org', REFUSED],
    ['ann@example.org\n', REFUSED],
    ['<ann@example.org>', REFUSED],
    [`${'a'.repeat(250)}@b.c`, `${'a'.repeat(250)}@b.c`],
    [`${'a'.repeat(251)}@b.c`, REFUSED],
    [5, REFUSED]
  ],
  url: [
    ['https://example.org', 'https://example.org/'],
    ['HTTP://Example.ORG:80/%7Ea?q#f', 'http://example.org/%7Ea?q#f'],
    ['https://[::1]:8443/', 'https://[::1]:8443/'],
    ['https://müller.example/', 'https://xn--mller-kva.example/'],
    ['//example.org/', REFUSED],
    ['example.org', REFUSED],
    ['javascript:alert(1)', REFUSED],
    ['ftp://example.org/', REFUSED],
    ['https://ann:secret@example.org/', REFUSED],
    [' https://example.org/', REFUSED],
    ['https://exa\nmple.org/', REFUSED],
    ['https:\\\\example.org', REFUSED],
    [new URL('https://example.org'), REFUSED]
  ],
  date: [
    ['0001-01-01T00:00:00.000Z', new Date(-62_135_596_800_000)],
    ['9999-12-31T23:59:59.999Z', new Date(253_402_300_799_999)],
    ['0001-01-01T00:00:00+01:00', REFUSED],
    ['9999-12-31T23:59:59.999-01:00', REFUSED],
    // JavaScript reads what is in parentheses as a comment.
    ['2026-01-02T03:04:05Z (UTC)', REFUSED]
  ],
  interval: [
    ['P1DT12H', 'P1DT12H'],
    ['P3Y6M4DT12H30M5S', 'P3Y6M4DT12H30M5S'],
    ['PT0.5S', 'PT0.5S'],
    ['P2W', 'P2W'],
    ['PT36H', 'PT36H'],
    ['P', REFUSED],
    ['PT', REFUSED],
    ['P1W2D', REFUSED],
    ['P1H', REFUSED],
    ['1D', REFUSED],
    ['-P1D', REFUSED],
    ['p1d', REFUSED],
    ['P1D\n', REFUSED]
  ]
}

for (const [name, rows] of Object.entries(TABLE)) {
  t.test(name, async (t) => {
    const type = fieldTypes.find((each) => each.name === name)
    for (const [given, read] of rows) t.strictSame(type?.read(given, {}), read, JSON.stringify(given))
  })
}

/** What criteria, measures and definitions take, by type, in alphabetical order. */
const CAN: Record<string, string> = {
  ...{ string: 'compare default order search', text: 'compare default order search' },
  ...{ email: 'compare default order search', url: 'compare default order search' },
  ...{ integer: 'add compare default order', float: 'add compare default order' },
  ...{ bigint: 'add compare default order', decimal: 'add compare default order' },
  ...{ date: 'compare default order', day: 'compare default order', uuid: 'compare default order' },
  ...{ enum: 'compare default order', id: 'compare default order' },
  ...{ boolean: 'compare default', interval: 'compare default', money: 'compare default' },
  ...{ json: 'default', bytes: '' }
}

t.test('what each type can', async (t) => {
  for (const { name, can } of fieldTypes) {
    const said = Object.entries(can).filter(([, isSo]) => isSo)
    t.equal(
      said
        .map(([what]) => what)
        .sort()
        .join(' '),
      CAN[name],
      name
    )
    t.strictSame(Object.keys(can).sort(), ['add', 'compare', 'default', 'order', 'search'], name)
  }
})

const HOSTILE: readonly unknown[] = [
  ...[undefined, null, true, false, 0, -0, 1, -1, 1.5, 2 ** 53, 2 ** 63, NaN, Infinity, 5n, 2n ** 64n],
  ...[
    '',
    ' ',
    '0',
    '-0',
    '1',
    '1.5',
    '01',
    '1e3',
    '9223372036854775807',
    '9223372036854775808',
    'true',
    'x y',
    'a\0b',
    '\ud800'
  ],
  ...['2026-02-28', '2026-02-30', '0000-01-01', '2026-02-28T10:00:00Z', '2026-02-28T10:00:00', '2026-02-30T10:00:00Z'],
  ...[
    'f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    'F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6',
    'draft',
    'Draft',
    'AQI=',
    'AQI',
    'A*=='
  ],
  ...Object.values(TABLE).flatMap((rows) => rows.map(([given]) => given)),
  ...[
    {},
    [],
    [1],
    { a: 1 },
    new Date(0),
    new Date(Number.NaN),
    new Uint8Array([1]),
    Symbol('x'),
    () => 1,
    Object.create(null)
  ],
  new Proxy({}, { ownKeys: () => [] })
]

const SETTINGS: Record<string, FieldSettings> = { decimal: { scale: 2 }, enum: { values: ['draft', 'x y'] } }

/** JSON Schema has no words for what no database keeps: NUL, and half of a pair of surrogates. */
const UNSAID = ['a\0b', '\ud800']

for (const type of fieldTypes) {
  t.test(`${type.name}: what it has read it reads again, and its schema takes what it reads`, async (t) => {
    const formats = Object.fromEntries(
      fieldTypes.flatMap(({ format, read }) =>
        format === undefined ? [] : [[format.name, (text: string) => read(text, {}) !== undefined] as const]
      )
    )
    const settings = SETTINGS[type.name] ?? {}
    const takes = new Ajv({ formats, strict: false }).compile(type.schema(settings))
    let held = 0
    for (const given of HOSTILE) {
      const read = type.read(given, settings)
      if (typeof given === 'string' && !UNSAID.includes(given)) t.equal(takes(given), read !== undefined, given)
      if (read === undefined) continue
      held += 1
      // An exact number is in units by then, which are no value of the field.
      if (typeof read !== 'bigint') t.same(type.read(read, settings), read, 'it settles')
    }
    t.ok(held > 0, 'it holds some')
    t.ok(type.expected(settings).length > 0)
    t.ok(type.dbml(settings).length > 0)
    t.ok(type.name in type.from || type.name === 'text' || type.storage === 'bigint', 'made from itself')
  })
}
