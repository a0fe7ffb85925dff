/** Ids as ObjectIds: 12 bytes, made from the time, the process and a counter, so that they sort as they were made. */
import mongoose from 'mongoose'
import type { IdForm } from 'svc-stores/table'

const FORM = /^[0-9a-f]{24}$/

export const objectIds: IdForm = Object.freeze({
  description: 'an id of 24 hexadecimal digits in lower case',
  generate: () => new mongoose.mongo.ObjectId().toHexString(),
  accepts: (id: string) => FORM.test(id)
})
