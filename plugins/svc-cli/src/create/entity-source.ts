/** The text of a new entity, of its REST controller, and of the test of both. Pure. */
import { posix } from 'node:path'
import { isSecretField } from 'svc-kernel/plugin'
import type { NewFile } from '../application/write-new-files.ts'
import type { EntityDraft, EntityField, EntityRelation } from './entity-fields.ts'
import { type EntityNames, entityNames } from './entity-names.ts'
import { entityTestSource } from './entity-test-source.ts'

/** Names that a generated controller imports: an entity of such a name is called otherwise in there. */
const IMPORTED = new Set([
  ...['Body', 'Ctx', 'Delete', 'Get', 'Param', 'Patch', 'Post', 'Put', 'Query', 'WebSocket', 'HttpContext'],
  ...['Changes', 'CrudQuery', 'NewOf', 'OrmPort', 'RowOf']
])

export function entitySource({ entity, plural }: EntityNames, { fields, relations, kept }: EntityDraft): string {
  const targets = [...new Set(relations.map(({ target }) => target))].filter((target) => target !== entity)
  const imports = targets.map((target) => `import './${entityNames(target).file}.ts'\n`).join('')
  const related = relations.map((relation) => `    ${relation.name}: ${relationDefinition(relation)}`).join(',\n')
  const parts = [
    ...(relations.length === 0 ? [] : [`  relations: {\n${related}\n  }`]),
    ...kept.map((part) => `  ${part}: true`)
  ]
  const schema = fields.map((field) => `    ${field.name}: ${definition(field)}`).join(',\n')
  return `/** What is kept of ${plural}. A field that is added later should be nullable or have a default. */
import { defineEntity, entities } from 'svc-orm'
${imports}
export const ${entity} = defineEntity({
  name: '${entity}',
  schema: {
${schema}
  }${parts.map((part) => `,\n${part}`).join('')}
})

entities([${entity}])(class {})
`
}

/** @param entities path from the controller to the file of the entity */
export function entityControllerSource(names: EntityNames, entities: string): string {
  const { entity, route, plural, variable, controller } = names
  const local = isTaken(entity) || entity === controller ? `${entity}Entity` : entity
  const imported = local === entity ? entity : `${entity} as ${local}`
  return `/** ${plural} over REST; reads answer over WebSocket, too. Every caller the zone admits may write: @IsGranted guards a method. */
import { Body, Ctx, controller, Delete, Get, type HttpContext, Param, Patch, Post, Put, Query, WebSocket } from 'svc-decorators'
import { type Changes, type CrudQuery, crud, type NewOf, type OrmPort, type RowOf } from 'svc-orm'
import { ${imported} } from '${entities}'

const path = '${route}'
const { routes, page, found, whole } = crud(${local})

@controller(path)
export class ${controller} {
  readonly #${variable}

  constructor({ orm }: { orm: OrmPort }) {
    this.#${variable} = orm.repository(${local})
  }

  @Get('/', routes.list)
  @WebSocket('/', routes.list)
  list(@Query() query: CrudQuery) {
    return page(this.#${variable}, query)
  }

  @Get('/:id', routes.read)
  @WebSocket('/:id', routes.read)
  async read(@Param('id') id: string) {
    return found(await this.#${variable}.findOne({ id }))
  }

  @Post('/', routes.create)
  async create(@Body() values: NewOf<typeof ${local}>, @Ctx() { reply }: HttpContext) {
    const row = await this.#${variable}.create(values)
    reply.code(201).header('location', \`\${path}/\${row.id}\`)
    return row
  }

  @Put('/:id', routes.replace)
  async replace(@Param('id') id: string, @Body() values: NewOf<typeof ${local}>) {
    return found(await this.#${variable}.updateOne({ id }, whole(values)))
  }

  @Patch('/:id', routes.change)
  async change(@Param('id') id: string, @Body() changes: Changes<RowOf<typeof ${local}>>) {
    return found(await this.#${variable}.updateOne({ id }, changes))
  }

  @Delete('/:id', routes.remove)
  async remove(@Param('id') id: string) {
    found(await this.#${variable}.findOneAndDelete({ id }))
  }
}
`
}

/** A global of that name would be hidden from what the compiler makes of decorators. */
function isTaken(entity: string): boolean {
  return IMPORTED.has(entity) || entity in globalThis
}

/** What is hidden by its name says so, and is taken in bodies until somebody decides otherwise. */
function definition({ name, type, nullable, unique }: EntityField): string {
  const scale = type === 'decimal' ? ['scale: 2'] : []
  const parts = [
    `type: '${type}'`,
    ...scale,
    ...(nullable ? ['nullable: true'] : []),
    ...(unique ? ['unique: true'] : []),
    ...(isSecretField(name, type) ? ["hidden: 'write-only'"] : [])
  ]
  return `{ ${parts.join(', ')} }`
}

function relationDefinition({ target, nullable, unique }: EntityRelation): string {
  const type = unique ? 'one-to-one' : 'many-to-one'
  return `{ type: '${type}', target: '${target}'${nullable ? ', nullable: true' : ''} }`
}

/**
 * Where an application keeps its parts, relative to itself: `entities`.
 */
export interface EntityFolders {
  readonly entities: string
  readonly controllers: string
}

/** The three files of an entity, each importing the one before it, in the folders that the application loads. */
export function entityFiles(names: EntityNames, draft: EntityDraft, folders: EntityFolders): NewFile[] {
  const entity = `${folders.entities}/${names.file}.ts`
  const controller = `${folders.controllers}/${names.plural}.ts`
  const test = `test/${names.plural}.test.ts`
  return [
    { path: entity, text: entitySource(names, draft) },
    { path: controller, text: entityControllerSource(names, importPath(controller, entity)) },
    { path: test, text: entityTestSource(names, draft, importPath(test, controller)) }
  ]
}

function importPath(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}
