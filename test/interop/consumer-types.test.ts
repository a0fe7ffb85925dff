/**
 * An application that imports every package type-checks under each module resolution, declarations included.
 * In the long run: the compiler reads every declaration three times.
 */
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageNames } from '../architecture/repository.ts'
import { temporaryFolder } from '../support/shop.ts'
import { run } from '../support/svc-command.ts'
import { ROOT } from './documentation/repository.ts'

/** More threads would check what all of them use once each. */
const ONE_THREAD = '--singleThreaded'

const SETTINGS = [
  { moduleResolution: 'bundler', module: 'esnext' },
  { moduleResolution: 'node16', module: 'node16' },
  { moduleResolution: 'nodenext', module: 'nodenext' }
]

t.test('N6: no complaint without skipLibCheck', async (t) => {
  const folder = await temporaryFolder(t)
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const packages = packageNames()
  const lines = packages.map((name, index) => `export * as p${index} from '${name}'`)
  writeFileSync(join(folder, 'all.ts'), `${lines.join('\n')}\n`)
  for (const { moduleResolution, module } of SETTINGS) {
    const flags = [
      ONE_THREAD,
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--target',
      'es2024',
      '--types',
      'node',
      '--skipLibCheck',
      'false'
    ]
    const args = [...flags, '--module', module, '--moduleResolution', moduleResolution, 'all.ts']
    const { code, stdout } = await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...args], {
      cwd: folder
    })
    t.equal(code, 0, `${moduleResolution}\n${stdout.slice(0, 2000)}`)
  }
})

t.test('request.user beside plugins that type it too, as the page says', async (t) => {
  const folder = await temporaryFolder(t)
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const page = readFileSync(join(ROOT, 'docs/reference/neighbours.md'), 'utf8')
  const flags = [
    ONE_THREAD,
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--types',
    'node',
    '--module',
    'nodenext'
  ]
  for (const neighbour of ['@fastify/jwt', '@fastify/passport']) {
    const target = neighbour === '@fastify/jwt' ? neighbour : 'fastify'
    const [declaration = ''] = new RegExp(`declare module '${target}' [^\`]+`).exec(page) ?? []
    const uses = [
      `import '${neighbour}'`,
      "import type { FastifyRequest } from 'fastify'",
      "import type { User } from 'svc-kernel'",
      'export const nameOf = ({ user }: FastifyRequest): string | undefined => user?.identifier'
    ]
    const check = async (...lines: string[]) => {
      writeFileSync(join(folder, 'app.ts'), lines.join('\n'))
      return run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...flags, 'app.ts'], { cwd: folder })
    }
    t.match((await check(...uses)).stdout, /'identifier' does not exist/, `${neighbour}: without the declaration`)
    const { code, stdout } = await check(...uses, declaration)
    t.equal(code, 0, `${neighbour}\n${stdout}`)
  }
})

/** An entity with a field of every type, and controllers that return its rows without a type of their own. */
const ROWS = `
import type { FastifyInstance } from 'fastify'
import { Body, controller, Get, Post } from 'svc-decorators'
import { crud, defineEntity, defineFieldType, type NewOf } from 'svc-orm'

const percent = defineFieldType<number>({
  name: 'percent', storage: 'integer', read: (given) => given, expected: 'a percentage', schema: { type: 'integer' }
})
export const Maker = defineEntity({
  name: 'Maker',
  schema: { name: { type: 'string' } },
  relations: { products: { type: 'one-to-many', target: 'Product', field: 'makerId' } }
})
export const Product = defineEntity({
  name: 'Product', timestamps: true, softDelete: true, version: true,
  schema: {
    a: { type: 'string' }, b: { type: 'text', nullable: true }, c: { type: 'integer', default: 0 }, d: { type: 'float' },
    e: { type: 'bigint' }, f: { type: 'decimal', scale: 2 }, g: { type: 'money', scale: 2 }, h: { type: 'boolean' },
    i: { type: 'date' }, j: { type: 'day' }, k: { type: 'uuid', unique: true }, l: { type: 'email' }, m: { type: 'url' },
    n: { type: 'interval' }, o: { type: 'enum', values: ['p', 'q'] }, p: { type: 'json' }, q: { type: 'bytes' },
    r: { type: 'id' }, s: { type: percent }, t: { type: 'decimal', scale: 2, array: true }
  },
  relations: { maker: { type: 'many-to-one', target: 'Maker' } }
})
declare module 'svc-orm' { interface EntityTypes { Maker: typeof Maker; Product: typeof Product } }

export const routes = crud(Product)

@controller('/api/products')
export class Products {
  readonly rows
  readonly makers
  constructor(fastify: FastifyInstance) {
    this.rows = fastify.orm.repository(Product)
    this.makers = fastify.orm.repository(Maker)
  }
  @Get('/all') all() { return this.rows.find() }
  @Get('/one') async one() { return { row: await this.rows.findOne({ f: { $gt: '1' } }) } }
  @Get('/some') some() { return this.rows.find({}, { select: ['id', 'e', 'f', 'p'], relations: ['maker'] }) }
  @Get('/makers') of() { return this.makers.find({}, { relations: ['products'] }) }
  @Get('/page') page() { return this.rows.page({}, { limit: 10 }) }
  @Get('/listed') listed() { return routes.page(this.rows, {}) }
  @Get('/each') each() { return this.rows.stream() }
  @Get('/sums') sums() { return this.rows.aggregate({}, { total: { sum: 'f' }, least: { min: 'i' } }) }
  @Get('/groups') groups() { return this.rows.groupBy({}, { by: ['o', 'f'], measures: { total: { sum: 'e' } } }) }
  @Get('/values') values() { return this.rows.distinct('f') }
  @Post('/') add(@Body() values: NewOf<typeof Product>) { return this.rows.create(values) }
  @Post('/put') put(@Body() values: NewOf<typeof Product>) { return this.rows.upsert({ k: values.k }, values) }
}
`

t.test('a class that returns rows has declarations, whatever the types of their fields', async (t) => {
  const folder = await temporaryFolder(t)
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  writeFileSync(join(folder, 'products.ts'), ROWS)
  const flags = ['--ignoreConfig', '--declaration', '--strict', '--skipLibCheck', '--experimentalDecorators']
  const to = ['--types', 'node', '--target', 'es2024', '--module', 'nodenext', '--outDir', 'out']
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const { code, stdout } = await run(process.execPath, [tsc, ONE_THREAD, ...flags, ...to, 'products.ts'], {
    cwd: folder
  })
  t.equal(code, 0, stdout.slice(0, 2000))
  t.match(readFileSync(join(folder, 'out/products.d.ts'), 'utf8'), 'f: import("svc-orm").ExactNumber')
})
