/** Entities that are searched: with weights, with a relation between them, with deleted rows that stay. */
import { compileEntities } from '../entities/compile-entities.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { defineEntity } from '../entities/entity-definition.ts'
import { entityPlan } from '../entities/entity-plan.ts'
import type { EntityRepositories } from '../repository/entity-repositories.ts'
import type { Repository } from '../repository/repository.ts'
import type { ConformanceSubject } from './conformance-suite.ts'

const Shop = defineEntity({
  name: 'SearchedShop',
  schema: { name: { type: 'string' } },
  relations: { articles: { type: 'one-to-many', target: 'SearchedArticle', mappedBy: 'shop' } },
  search: ['name']
})

const Article = defineEntity({
  name: 'SearchedArticle',
  schema: {
    code: { type: 'string', unique: true },
    title: { type: 'string', nullable: true },
    text: { type: 'text', nullable: true },
    stars: { type: 'integer', default: 0 },
    serial: { type: 'bigint', default: 1 }
  },
  relations: { shop: { type: 'many-to-one', target: 'SearchedShop', nullable: true, onDelete: 'none' } },
  indexes: [{ fields: [{ field: 'title', fold: true }] }],
  search: [{ field: 'title', weight: 20 }, 'text'],
  softDelete: true
})

export function searchedEntities(): readonly CompiledEntity[] {
  const definitions = [Shop, Article].map((definition) => ({ definition, place: null }))
  return compileEntities(definitions, 'default').entities
}

export interface SearchContext {
  readonly opened: EntityRepositories
  readonly shops: Repository
  readonly articles: Repository
}

export type SearchCases = Readonly<Record<string, (context: SearchContext) => Promise<void>>>

export async function openSearched(subject: ConformanceSubject): Promise<SearchContext> {
  const opened = await subject.open(searchedEntities())
  return { opened, shops: opened.repository('SearchedShop'), articles: opened.repository('SearchedArticle') }
}

export async function emptySearched({ opened: { database, entities } }: SearchContext): Promise<void> {
  for (const entity of entities.toReversed()) await database.table(entityPlan(entity)).delete([])
}
