"""Words that say the same in a question and in a document, in both languages.

Only everyday vocabulary about organisations, people, papers and things; a domain's own synonyms belong into its
dictionary. A group is compared as one more term, so exact words still weigh more than their synonyms.
"""

from __future__ import annotations

_GROUPS = """
成立 创立 创办 创建 建立 设立 组建 始建 创始 建成 落成
出生 生于 诞生 生日 出生于
去世 逝世 病逝 卒于 身亡 死亡 过世 辞世 死于 离世 所杀 被杀
位于 坐落 地处 座落 地点 所在 位置 地址 住址 住所
总部 注册 注册地 总部设
毕业 就读 毕业于 母校
改名 更名 改称 又称 别名 又名 俗名 亦称 俗称 也称 简称 别称 原名 旧称 本名 通称 名称 称为 称作 叫做
导演 执导 拍摄
作者 撰写 著有 编著 作家 编剧
运营 经营 营运 管理者
收购 并购 购买 购入 购得
任命 委任 聘任 担任 出任 就任 接任 上任 任职
辞职 离职 卸任 辞任
获得 取得 荣获 夺得 赢得 得到 获颁
奖项 获奖 奖励 金奖
擅长 精通 著称 闻名 著名 出名 知名
原因 由于 因为 因此 导致 为了 理由
用途 用于 用作 用来 作用 功能 功用 可用
特点 特征 特性 特色 外形 外观
种类 类型 分为 分类 品种 类别
包括 包含 组成 构成 涵盖 包含有 成员
定义 是指 指的 所称 含义 意思
职业 职位 演员 职务 岗位
面积 占地
人口 居民 常住
价格 售价 定价 费用 票价 单价
金额 数额 总额 总价 总值 价值
人数 名额 职工 员工 雇员
期限 时限 之内 以内 期间 期满 有效期
处罚 罚款 罚金 处以 警告 刑罚 判处 判决 刑期 有期徒刑 法律责任 给予处分 责令
负责 主管 监督 管理 主管部门
条件 符合 具备 满足 要求 应当
材料 文件 资料 提交 报送 提供
禁止 不得 严禁 不准 不可
目的 为了 宗旨 目标 制定 立法
流程 程序 步骤 手续 过程
举办 举行 召开 主办
发行 出版 推出 发布 公布 颁布 上映
开始 起始 始于 开工 启用 通车 施行 实施 生效 执行
结束 终止 截止 终结 到期
生产 制造 制作 产地
分布 栖息 生活 原产 产于 出没
家庭 妻子 丈夫 儿子 女儿 父亲 母亲 子女 父母 配偶
娶 嫁 结婚 婚姻 夫妻
联系 电话 邮箱 联系方式 联络
报名 申请 登记 注册
审批 批准 核准 同意
负债率 资产负债率
噪声 噪音 声压
质保 保修 质保期 保修期 保固
付款 支付 缴纳 交纳 结算
供应商 供货商 卖方 供方
采购方 买方 需方
服务商 提供者 提供商 服务提供者
establish found incorporate set launch creat form start establishment
born birth birthplace
die death dead decease pass
locate headquarter situate base locat headquarters address
acquire purchase buy bought acquisition takeover
appoint name elect hire appointment appointed designate
resign resignation depart step leave left
cost price fee charge expense
salary wage pay compensation remuneration
revenue turnover sales
profit earning
staff employee personnel workforce worker
vacation holiday leave
require need must shall mandatory requirement obligatory
forbid prohibit ban disallow
allow permit may permission
end expire expiry terminate termination expiration
begin commence start effective
responsible charge manage owner accountable
deadline due within
reason because due cause result
include comprise consist contain compose
sentence punish penalty imprisonment punishment fine
judge court ruling verdict judgment
buy purchas
noise sound acoustic
warranty guarantee
supplier vendor provider
customer client
minimum least
maximum most limit
heavy heavier weigh weight mass
long longer length
tall taller height
wide wider width
fast faster speed quick
expensive cheap cheaper cost price
重 更重 重量 净重 毛重 自重
""".strip().splitlines()

_BY_WORD: dict[str, tuple[str, ...]] = {}
for _number, _group in enumerate(_GROUPS):
    for _word in _group.split():
        _BY_WORD[_word] = (*_BY_WORD.get(_word, ()), f"~{_number}")


def group_terms(tokens: frozenset[str]) -> frozenset[str]:
    """The synonym groups that some search tokens belong to, as terms of their own."""
    return frozenset(group for token in tokens for group in _BY_WORD.get(token, ()))
