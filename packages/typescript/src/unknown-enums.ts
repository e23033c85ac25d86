import { type DescMessage, type Message } from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';

/** Sets enum values that are newer than this package to the first value, `..._UNSPECIFIED`, and removes them from lists. */
export function forgetUnknownEnums(desc: DescMessage, message: Message): void {
  forget(reflect(desc, message));
}

function forget(message: ReflectMessage): void {
  for (const field of message.fields) {
    if (!message.isSet(field)) continue;
    if (field.fieldKind === 'enum') {
      if (field.enum.value[message.get(field)] === undefined) message.clear(field);
    } else if (field.fieldKind === 'message') {
      forget(message.get(field));
    } else if (field.fieldKind === 'list' && field.listKind === 'message') {
      for (const each of message.get(field)) forget(each as ReflectMessage);
    } else if (field.fieldKind === 'list' && field.listKind === 'enum') {
      const list = message.get(field);
      const known = [...list].filter((value) => field.enum.value[value as number] !== undefined);
      if (known.length === list.size) continue;
      list.clear();
      for (const value of known) list.add(value);
    }
  }
}
