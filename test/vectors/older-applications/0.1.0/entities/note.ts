/** What is kept of notes. A field that is added later should be nullable or have a default. */
import { defineEntity, entities } from 'svc-orm'

export const Note = defineEntity({
  name: 'Note',
  schema: {
    title: { type: 'string' },
    body: { type: 'text', nullable: true }
  }
})

entities([Note])(class {})
