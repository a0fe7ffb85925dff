/** The order in which rows of several entities go: those that refer to others before those. Pure. */
import type { CompiledEntity } from '../entities/compiled-entity.ts'

/** Of entities that refer to each other in a circle, the one that was named last goes first. */
export function deletionOrder(given: readonly CompiledEntity[]): readonly CompiledEntity[] {
  const left = new Set(given)
  const order: CompiledEntity[] = []
  while (left.size > 0) {
    const free = [...left].filter((entity) => ![...left].some((other) => other !== entity && refersTo(other, entity)))
    const next = free.length > 0 ? free : [...left].slice(-1)
    for (const entity of next) left.delete(entity)
    order.push(...next)
  }
  return order
}

function refersTo({ relations }: CompiledEntity, { name }: CompiledEntity): boolean {
  return [...relations.values()].some(({ target, reference }) => target === name && reference !== undefined)
}
