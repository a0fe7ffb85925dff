/** The cursor of a listing by time: `<epoch ms>:<id>` of the last item shown. Pure. */
import { InvalidPage } from '../errors.ts'

export interface CursorPosition {
  readonly ts: number
  readonly id: string
}

const FORM = /^(\d{1,15}):([\w-]{1,128})$/

export function encodeCursor({ ts, id }: CursorPosition): string {
  return `${ts}:${id}`
}

/** @throws InvalidPage for anything `encodeCursor` does not give */
export function decodeCursor(cursor: string): CursorPosition {
  const [, ts, id] = FORM.exec(cursor) ?? []
  if (ts === undefined || id === undefined) throw new InvalidPage('cursor', 'the nextCursor of the page before')
  return { ts: Number(ts), id }
}
