/** Entities whose rows are trees: one whose rows are marked, with rows that are placed in it, and one that goes as a whole. */
import { defineEntity, type EntityDefinition } from '../entities/entity-definition.ts'

const Region = defineEntity({
  name: 'Region',
  schema: { name: { type: 'string' }, size: { type: 'integer', default: 0 } },
  relations: {
    parent: { type: 'many-to-one', target: 'Region', nullable: true, onDelete: 'none' },
    regions: { type: 'one-to-many', target: 'Region', mappedBy: 'parent' }
  },
  tree: 'parent',
  softDelete: true
})

const Town = defineEntity({
  name: 'Town',
  schema: { name: { type: 'string' } },
  relations: { region: { type: 'many-to-one', target: 'Region', nullable: true, onDelete: 'none' } }
})

const Topic = defineEntity({
  name: 'Topic',
  schema: { name: { type: 'string' }, code: { type: 'string', nullable: true, unique: true } },
  relations: { above: { type: 'many-to-one', target: 'Topic', nullable: true, onDelete: 'cascade' } },
  tree: 'above'
})

export const TREE_DEFINITIONS: readonly EntityDefinition[] = [Region, Town, Topic]
