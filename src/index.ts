export { type ErrorCode, TuskError } from './lib/errors.ts'
