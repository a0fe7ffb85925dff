/**
 * A long list of which only the rows in sight are in the page: a hundred thousand scroll like ten. Rows have one height.
 * Arrows move between rows, as the links in them take the focus. Back returns to the place that was in sight.
 */
// biome-ignore-all lint/a11y/useSemanticElements: elements of tables cannot leave out the rows that are not in sight
// biome-ignore-all lint/a11y/useFocusableInteractive: the links in the rows take the focus
// biome-ignore-all lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
import { Component, type ComponentChildren, type VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { keptOfEntry } from '../app/location.ts'

export interface VirtualRowsProps<Row> {
  readonly label: string
  /** Names of the columns. */
  readonly head: readonly string[]
  /** Class with the widths of the columns. */
  readonly columns: string
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** The cells of a row, in the order of `head`. The same function while the rows mean the same: another one draws all anew. */
  readonly cells: (row: Row) => readonly ComponentChildren[]
  /** There are more behind the last one. */
  readonly hasMore?: boolean
  /** Called when the end comes near. */
  readonly onEnd?: () => void
  /** Called when the first row comes into sight, and when it leaves. */
  readonly onHead?: (atHead: boolean) => void
}

/** Rows beyond each edge, so that a quick scroll shows no gap. */
const SPARE = 12
const NEAR_END = 30

/** Phones show each row on two lines; the stylesheet has the same heights. */
const narrow = window.matchMedia('(max-width: 720px)')
const rowHeight = () => (narrow.matches ? 64 : 40)

export function VirtualRows<Row>(props: VirtualRowsProps<Row>): VNode {
  const { label, head, columns, rows, keyOf, cells, hasMore = false, onEnd, onHead } = props
  const viewport = useRef<HTMLDivElement>(null)
  const place = () => keptOfEntry<number>(`place of ${label}`)
  const [{ top, height }, setSight] = useState(() => ({ top: place().get() ?? 0, height: 800 }))
  const size = rowHeight()

  useLayoutEffect(() => {
    const element = viewport.current
    if (element === null) return
    element.scrollTop = top
    const look = () => {
      setSight({ top: element.scrollTop, height: element.clientHeight })
      place().set(element.scrollTop)
    }
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [])

  const first = Math.max(Math.floor(top / size) - SPARE, 0)
  const last = Math.min(Math.ceil((top + height) / size) + SPARE, rows.length)
  useEffect(() => {
    if (hasMore && last >= rows.length - NEAR_END) onEnd?.()
  }, [hasMore, last, rows.length])
  const atHead = top < size
  useEffect(() => onHead?.(atHead), [atHead])

  return (
    <div class={`table ${columns}`} role="table" aria-label={label} aria-rowcount={hasMore ? -1 : rows.length + 1}>
      <div class="heads" role="rowgroup">
        <div class="row head" role="row" aria-rowindex={1}>
          {head.map((name) => (
            <span role="columnheader" key={name}>
              {name}
            </span>
          ))}
        </div>
      </div>
      <div class="viewport" role="rowgroup" tabIndex={0} ref={viewport} onKeyDown={moveFocus}>
        <div class="rows" style={{ height: `${rows.length * size}px` }}>
          {rows.slice(first, last).map((row, index) => (
            <RowView
              key={keyOf(row)}
              row={row}
              index={first + index}
              top={(first + index) * size}
              head={head}
              cells={cells}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

interface RowViewProps<Row> extends Pick<VirtualRowsProps<Row>, 'head' | 'cells'> {
  readonly row: Row
  readonly index: number
  /** In pixels. */
  readonly top: number
}

/** Drawn again only where it is another row, or in another place: a scroll moves the window, and no row in it. */
class RowView<Row> extends Component<RowViewProps<Row>> {
  override shouldComponentUpdate(next: RowViewProps<Row>): boolean {
    const { row, index, top, cells } = this.props
    return next.row !== row || next.index !== index || next.top !== top || next.cells !== cells
  }

  override render({ row, index, top, head, cells }: RowViewProps<Row>) {
    return (
      <div class="row" role="row" aria-rowindex={index + 2} style={{ transform: `translateY(${top}px)` }}>
        {cells(row).map((cell, column) => (
          <span role="cell" key={head[column]}>
            {cell}
          </span>
        ))}
      </div>
    )
  }
}

/** To the link of the row above or below. */
function moveFocus(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || !(event.currentTarget instanceof HTMLElement)) return
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('.row')].sort(
    (a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex)
  )
  const current = rows.findIndex((row) => row.contains(document.activeElement))
  const target = current === -1 ? rows[0] : rows[current + step]
  const link = target?.querySelector<HTMLElement>('a, button')
  if (link == null) return
  event.preventDefault()
  link.focus({ preventScroll: true })
  link.scrollIntoView({ block: 'nearest' })
}
