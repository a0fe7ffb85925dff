/** The tables of options: what the schemas of the plugins and their doc comments say, on every page. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { pluginMeta } from 'svc-kernel/plugin'
import t from 'tap'
import { optionsOf, withGeneratedTables } from './documentation/generated-tables.ts'
import { readPage, tableRowsUnder } from './documentation/markdown-page.ts'
import { optionComments } from './documentation/option-comments.ts'
import { optionRows } from './documentation/option-rows.ts'
import { documentationPages, inRepository } from './documentation/repository.ts'

const PAGE = 'docs/reference/options.md'
const page = readPage(PAGE, readFileSync(inRepository(PAGE), 'utf8'))

/** Endings of names that stand for a unit, and the word that the doc comment has for it. */
const UNITS: readonly (readonly [RegExp, RegExp])[] = [
  [/Ms$/, /in milliseconds/],
  [/S$/, /seconds/],
  [/Days$/, /in days/],
  [/Kib$/, /in KiB/],
  [/maxPayload$/, /in bytes/]
]

t.test('options in the code and on the page', async (t) => {
  for (const plugin of packagesOfTheBuild()) {
    const entry: { default?: unknown } = await import(plugin)
    // The command line is no plugin.
    if (typeof entry.default !== 'function') continue
    t.ok(pluginMeta(entry.default).optionsSchema, `${plugin} has a schema of its options`)
    const rows = await optionsOf(plugin)
    const inCode = rows.map(({ path, type, fallback }) => `${path}: ${type} = ${fallback}`)
    const onPage = tableRowsUnder(page, plugin)
      .slice(1)
      .map(({ cells }) => `${plain(cells[0])}: ${plain(cells[1])} = ${plain(cells[2])}`)
    t.ok(page.anchors.has(plugin), `${PAGE} has a heading for ${plugin}`)
    t.strictSame(onPage.sort(), inCode.sort(), `${PAGE}, ${plugin}: path: type = default`)
    for (const { path, meaning } of rows) {
      t.ok(meaning.endsWith('.'), `${plugin}.${path} has a doc comment of whole sentences`)
      const [, unit] = UNITS.find(([ending]) => ending.test(path)) ?? []
      if (unit !== undefined) t.match(meaning, unit, `${plugin}.${path} says its unit`)
    }
  }
})

t.test('generated tables', async (t) => {
  for (const path of documentationPages()) {
    const text = readFileSync(inRepository(path), 'utf8')
    t.equal(text, await withGeneratedTables(text), `${path} is as \`npm run tables\` writes it`)
    // The embedded engine is no plugin of Fastify: it reads its options itself.
    if (!path.startsWith('plugins/') || path.startsWith('plugins/svc-docdb-embedded/')) continue
    t.notMatch(
      text.replace(/^<!-- options [\s\S]*?<!-- end -->/gm, ''),
      /^\| option \| type/m,
      `${path}: no table by hand`
    )
  }
})

t.test('doc comments of a schema', async (t) => {
  const declaration = `export declare const optionsSchema: {
    readonly type: 'object';
    readonly properties: {
        /** Zones by name. */
        readonly areas: {
            readonly additionalProperties: {
                readonly properties: {
                    /**
                     * Which routes
                     * the zone holds.
                     */
                    readonly pattern: {
                        readonly type: 'string';
                    };
                };
            };
        };
        readonly bare: {
            readonly type: 'string';
        };
    };
};
/** Something else. */
export declare const other: {
    readonly type: 'object';
};`
  t.strictSame(
    [...optionComments(declaration)],
    [
      ['properties/areas', 'Zones by name.'],
      ['properties/areas/additionalProperties/properties/pattern', 'Which routes the zone holds.']
    ]
  )
})

t.test('rows of a schema', async (t) => {
  const schema = {
    type: 'object',
    required: ['dir'],
    properties: {
      dir: { type: 'string' },
      either: { anyOf: [{ type: 'boolean' }, { type: 'array', items: { anyOf: [{ type: 'string' }, {}] } }] },
      mode: { enum: ['a', 'b'], default: 'a' },
      areas: {
        type: 'object',
        default: {},
        additionalProperties: {
          type: 'object',
          required: ['pattern'],
          properties: {
            pattern: { type: 'string', format: 'regex' },
            names: { type: 'array', items: { type: 'string' } }
          }
        }
      },
      jury: { type: 'object', default: {}, properties: { voterTimeoutMs: { type: 'integer', default: 1000 } } }
    }
  }
  t.strictSame(
    optionRows(schema).map(({ path, type, fallback }) => [path, type, fallback]),
    [
      ['dir', 'string', 'required'],
      ['either', 'boolean | (string | any)[]', 'none'],
      ['mode', '"a" | "b"', '"a"'],
      ['areas.<name>.pattern', 'string (regex)', 'required'],
      ['areas.<name>.names', 'string[]', 'none'],
      ['jury.voterTimeoutMs', 'integer', '1000']
    ]
  )
})

function packagesOfTheBuild(): string[] {
  const text = readFileSync(inRepository('tsconfig.json'), 'utf8')
  const { references } = JSON.parse(text) as { references: { path: string }[] }
  return references.filter(({ path }) => path.startsWith('plugins/')).map(({ path }) => basename(path))
}

/** Cells are written as code. */
function plain(cell = ''): string {
  return cell.replaceAll('`', '')
}
