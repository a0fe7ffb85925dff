/** A Typegoose class as an entity: its validators and hooks run in every write. Only a document database keeps it. */
import { modelOptions, pre, prop } from '@typegoose/typegoose'
import { entities } from 'svc-orm'

@pre<Bookmark>('save', function () {
  this.url = new URL(this.url).href
})
@modelOptions({ schemaOptions: { timestamps: true } })
export class Bookmark {
  @prop({ type: String, required: true, validate: (url: string) => URL.canParse(url) })
  declare url: string

  @prop({ type: String, default: '' })
  declare title: string
}

/** As a repository reads it. */
export type BookmarkRow = Bookmark & { id: string; createdAt: Date; updatedAt: Date }

entities([Bookmark])(class {})
