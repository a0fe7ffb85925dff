/** What a migration found where it would have made it. Its way back leaves that in place, as it was. Pure. */
import type { ColumnPlan } from 'svc-stores/table'

export interface FoundPart {
  readonly entity: string
  /** As the migration has it; absent: the table. */
  readonly column?: ColumnPlan
  /** The name that it had. */
  readonly was?: string
  /** The column took null, and the migration has made it required. */
  readonly tookNull?: true
}

export class FoundInPlace {
  readonly #all: FoundPart[]

  /** @param known what the way up has noted */
  constructor(known: readonly FoundPart[] = []) {
    this.#all = [...known]
  }

  get all(): readonly FoundPart[] {
    return this.#all
  }

  note(found: FoundPart): void {
    this.#all.push(found)
  }

  table(entity: string): FoundPart | undefined {
    return this.#all.find((each) => each.entity === entity && each.column === undefined)
  }

  column(entity: string, name: string): FoundPart | undefined {
    return this.columns(entity).find(({ column }) => column.name === name)
  }

  columns(entity: string): readonly (FoundPart & { readonly column: ColumnPlan })[] {
    return this.#all.filter((each): each is FoundPart & { column: ColumnPlan } => {
      return each.entity === entity && each.column !== undefined
    })
  }
}
