/** A number with its name, for the head of a page. */

export function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

/** @param value `null` where there is none */
export function milliseconds(value: number | null): string {
  return value === null ? '–' : `${value < 10 && value !== 0 ? value.toFixed(1) : value.toFixed(0)} ms`
}
