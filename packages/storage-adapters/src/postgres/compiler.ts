import { type BinaryOperationNode, OperatorNode, PostgresQueryCompiler, PrimitiveValueListNode } from 'kysely';

/** Compiles a list of keys to one array, so that a statement has one text whatever their number, and is prepared once. */
export class ArrayListCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, operator, rightOperand } = node;
    const comparison = OperatorNode.is(operator) ? COMPARISONS.get(operator.operator) : undefined;
    if (!comparison || !PrimitiveValueListNode.is(rightOperand)) {
      super.visitBinaryOperation(node);
      return;
    }
    this.visitNode(leftOperand);
    this.append(comparison);
    this.appendValue(rightOperand.values);
    this.append(')');
  }
}

// --- internal ---

const COMPARISONS = new Map<string, string>([
  ['in', ' = any ('],
  ['not in', ' <> all ('],
]);
